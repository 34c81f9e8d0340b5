/** What every fixture app does once it has hubmesh: three documents, a question, the outcome as text on the page. */
const DOCUMENTS = [
  {
    id: 'ed-wood',
    title: 'Ed Wood',
    text: 'Ed Wood is a 1994 film directed by Tim Burton about the maker of cheap films.',
  },
  {
    id: 'burton',
    title: 'Tim Burton',
    text: 'Tim Burton is an American director. He was born in Burbank, California.',
  },
  {
    id: 'nolan',
    title: 'Christopher Nolan',
    text: 'Christopher Nolan is a director who was born in London.',
  },
]

/** `open` opens the engine as the app does. */
export async function films(open) {
  const said = {}
  try {
    const engine = await open()
    said.before = (await engine.status()).documents
    const { added, unchanged } = await engine.add(DOCUMENTS)
    await engine.ready('vectors')
    const { passages, passagesWithVectors } = await engine.status()
    const { context, sources, reasoning, debug } = await engine.retrieve(
      'Where was the director of Ed Wood born?',
      { tier: 'full', budgetTokens: 1000 },
    )
    Object.assign(said, {
      added: added.length,
      unchanged: unchanged.length,
      passages,
      passagesWithVectors,
      tier: debug.tier,
      context,
      path: reasoning[0]?.sentence ?? null,
      sources: sources.map(({ documentId, score }) => [documentId, score]),
    })
    await engine.close()
  } catch (error) {
    said.error = { code: error?.code ?? null, message: String(error?.message ?? error) }
  }
  const result = document.createElement('pre')
  result.id = 'result'
  result.textContent = JSON.stringify(said)
  document.body.append(result)
}
