/** English help: what every number of the page means, in a sentence or two. */

export const help = {
  documents: 'What was added: files, records of a file, pasted texts.',
  passages:
    'Documents are cut into passages of at most 200 tokens. Passages are what is ranked, packed and given vectors.',
  names: 'Names and titles found in the documents. Passages that share one hang together by it.',
  vectors:
    'Passages whose meaning is computed, of all there are. The others rank by names and ' +
    'words until their turn comes.',
  size:
    'About what its texts and their meaning take on this device. Browsers tell the sum of a site ' +
    'only; it stands under Storage.',
  date: 'When documents were last added or removed on this page.',
  storage: 'What all of this site has stored, of what the browser allows it.',
  budget:
    'A token is about four characters of English. The context never takes more than the budget.',
  blockTokens: 'What this block takes of the budget, its heading included.',
  rarity: 'Passages that hold the name. The fewer there are, the more it weighs.',
  pathShare:
    'Part of the walk from the names of the question that runs along this path. Paths share ' +
    'steps, so these need not add up to 100%.',
  score:
    'The sum of its parts, as the bar draws them. Scores compare passages of one answer, not of two.',
  sources: 'How many ranked passages are listed. The context may reach further down.',
  total: 'From the question to the packed context, on this machine, this time.',
  stage: 'Milliseconds of each stage. They differ from run to run; the answer does not.',
  trust:
    'How far the names are trusted to lead: much where they cover the question and are titles, ' +
    'little where they are common words.',
  walk:
    'The walk spreads from the names of the question over the graph of names and passages. ' +
    'Steps are how often it moved on, edges what it looked at.',
  residual: 'The part of the walk that was not followed to its end. The smaller, the more exact.',
  window: 'Tokens that went to the model, of those it can hold at once with its answer.',
  shared: 'Names and documents that lie on paths of both questions.',
}
