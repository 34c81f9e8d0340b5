/** English words for every code of the engine: what happened, what was kept and what to do. */
import type { ErrorCode } from '../../../src/index.ts'

export const problems: Readonly<Record<ErrorCode, readonly [title: string, help: string]>> = {
  'input/invalid': [
    'This could not be taken',
    'Nothing was added. The details say which part was refused and why.',
  ],
  'input/too-large': [
    'This is larger than the page can take',
    'Nothing was added. Split it and add the parts.',
  ],
  'input/conflict': ['A document of that name holds another text', 'The stored text was kept.'],
  'store/unavailable': [
    'This browser refuses to save',
    'Private windows and blocked site data do that. You can go on in memory; the collection is ' +
      'then gone when the tab closes.',
  ],
  'store/blocked': [
    'Another tab holds an older version of this collection',
    'Close the other tabs of this page, then try again. Nothing was lost.',
  ],
  'store/newer-schema': [
    'This collection was written by a newer version',
    'It was left untouched. Reload the page to get the newer version.',
  ],
  'store/closed': [
    'The collection was closed',
    'What was confirmed is saved. Open it again to go on.',
  ],
  'store/quota': [
    'There is no room left on this device',
    'What was confirmed before is saved. Delete a collection or free some space, then try again.',
  ],
  'store/corrupt': [
    'Part of the saved collection is damaged',
    'What could be read was kept. Delete the collection and add its documents again to have all of it.',
  ],
  'store/evicted': [
    'The saved data of this collection are gone',
    'A browser clears them when space runs short, and when site data are deleted. Remove the ' +
      'collection from the list, then add its documents again.',
  ],
  'store/indeterminate': [
    'It is not known whether the last change was saved',
    'Open the collection again: it shows the state before the change or after it, never a mix.',
  ],
  'store/locked': [
    'This collection is encrypted',
    'It opens with its passphrase only, in the app that made it. Nothing was changed.',
  ],
  'writer/not-leader': [
    'Another tab is writing to this collection',
    'You can ask here. Close the other tab and try again: what you just added here is then ' +
      'taken without dropping it anew.',
  ],
  'writer/lost': [
    'Another tab took over writing',
    'What was confirmed is saved. Go on in the other tab, or close it and try again.',
  ],
  'worker/start-failed': [
    'The engine could not start',
    'Its script did not load; offline, this needs one earlier visit. Try again when there is a ' +
      'network: what you just added is then taken. If that does not help, reload the page.',
  ],
  'worker/crashed': [
    'The engine stopped unexpectedly',
    'What was confirmed is saved. Try again to start it anew.',
  ],
  'worker/timeout': [
    'The engine does not answer',
    'What was confirmed is saved. Try again to start it anew.',
  ],
  'model/fetch': [
    'The meaning model could not be loaded',
    'Names and words still rank; meaning is missing until the model is there.',
  ],
  'model/integrity': [
    'The meaning model is damaged',
    'Its files are not the ones expected, so it is not used. Names and words still rank.',
  ],
  'model/incompatible': [
    'The meaning model cannot be used here',
    'Its files do not belong together, or do not fit this browser or collection. Names and words still rank.',
  ],
  'model/memory': [
    'There is not enough memory for the meaning model',
    'Close other tabs and resume. Names and words still rank.',
  ],
  'model/device-lost': [
    'The graphics device went away',
    'Resume to go on without it. Names and words still rank.',
  ],
  'index/stale': [
    'The index is older than the documents',
    'It is built again from the documents. Try again in a moment.',
  ],
  'index/corrupt': [
    'The index is damaged',
    'It is built again from the documents, which are safe.',
  ],
  'archive/version': ['This archive was written by a newer version', 'Nothing was imported.'],
  'archive/too-large': ['This archive is larger than the page can take', 'Nothing was imported.'],
  'archive/invalid': ['This is not a hubmesh archive, or it is damaged', 'Nothing was imported.'],
  'corpus/not-found': [
    'This collection no longer exists',
    'It was deleted, perhaps in another tab.',
  ],
  'remote/unavailable': [
    'A server does not answer',
    'Nothing was changed. Try again when it is there.',
  ],
  'remote/auth': ['A server refused the key', 'Nothing was changed.'],
  'remote/timeout': ['A server took too long', 'Nothing is known to have changed. Try again.'],
  'remote/invalid': [
    'A server answered something that cannot be used',
    'Nothing was changed. The details say what it was.',
  ],
  aborted: ['Cancelled', 'What was confirmed before is saved.'],
  'bug/invariant': [
    'The engine met a fault of its own',
    'What was confirmed is saved. Please report the details.',
  ],
}

export const missing: readonly [string, string] = [
  'A server does not have what it was asked for',
  'Nothing was changed. Check the address; the details say which it was.',
]

export const notDeleted =
  'It was not deleted. Close the other tabs of this page, then delete it again.'
