/** English sentences that say how things stand: storage, network, meaning, agents. */
import { bytes, counted, grouped } from '../format.ts'

export const states = {
  memory: 'In memory only: gone when this tab closes.',
  persisted: 'Saved on this device, for keeps: the browser promised not to clear it.',
  bestEffort: 'Saved on this device, best effort: the browser may clear it when space runs short.',
  unknown: 'Saved on this device. This browser does not say whether it may clear it.',
  full: (used: number, quota: number) =>
    `Nearly full: ${bytes(used)} of ${bytes(quota)} used. Delete a collection to make room.`,
  used: (used: number, quota: number) => `${bytes(used)} used of ${bytes(quota)}.`,
  usedOnly: (used: number) => `${bytes(used)} used.`,
  offline: {
    prefix: 'You are offline. ',
    ready: 'Works offline.',
    readyOffline: 'You are offline; everything works.',
    keeping: (kept: number, total: number) =>
      `Getting ready for offline use: ${kept} of ${total} files.`,
    installing: 'Getting ready for offline use.',
    failed:
      'Not ready for offline use: a file could not be kept. It is tried again on the next visit.',
    unsupported: 'This browser cannot keep the page for offline use.',
    off: 'Offline use is part of the built page.',
  },
  agents: {
    missing: 'Not in this browser: it has no WebMCP, by which its agents could ask this page.',
    off: 'No agent is offered anything.',
    closed: 'Offered as soon as a collection is open.',
    failed: 'The browser did not take the tools, so no agent can ask this page.',
    offered: (tools: number) =>
      `Offered to agents in this browser: ${counted(tools, 'tool')} that read ` +
      'the open documents. An agent may pass on what it reads.',
  },
  quarter: (label: string, percent: number) => `${label}: ${percent} percent.`,
  meaning: {
    label: 'Meaning',
    all: 'Meaning counts everywhere.',
    none: 'No passages yet.',
    loadingQuestions: 'All passages are done. The meaning model that reads questions is loading.',
    failedQuestions:
      'All passages are done, but the meaning model that reads questions is missing.',
    loading: 'Loading the meaning model.',
    first: 'The first passages are being computed',
    left: (rate: string, time: string) => `${rate}, ${time} left`,
    paused: 'Paused. What is done is saved.',
    stopped: 'Stopped.',
    stoppedSaved: 'Stopped. What is done is saved.',
    off: 'No meaning model: names and words rank alone.',
    idle: 'Waiting.',
    following: 'Another tab of this page is working on it.',
  },
  notes: {
    nothing: 'Nothing was found. Try other words, add a name, or include an excluded document.',
    noMatch:
      'Nothing here matches the question: what follows is no answer, only the first documents.',
    noNameFull: 'No name of the question is known here: ranked by words and meaning only.',
    noNameText: 'No name of the question is known here: ranked by words only.',
    notAName: (name: string) => `“${name}” is not a name of these documents.`,
    noModel: 'Ranked by names and words only: the meaning model is not there. Its bar says why.',
    soFar: (done: number, total: number) =>
      `Meaning is computed for ${grouped(done)} of ${counted(total, 'passage')} so far.`,
  },
}

export const pace = {
  moment: 'less than a second',
  seconds: (n: number) => counted(n, 'second'),
  minutes: (n: number) => `about ${counted(n, 'minute')}`,
  hours: (n: number) => `about ${counted(n, 'hour')}`,
  rate: (n: string) => `${n} a second`,
}
