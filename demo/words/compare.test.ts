import { describe, expect, it } from 'vitest'
import type { PathNode, ReasoningPath, Source } from '../../src/types.ts'
import { comparePaths } from './compare.ts'

const entity = (id: string): PathNode => ({ kind: 'entity', id, label: id.toUpperCase() })
const document = (id: string): PathNode => ({ kind: 'document', id, label: id })
const path = (...nodes: PathNode[]): ReasoningPath => ({ score: 1, nodes, steps: [], sentence: '' })
const sources = (...ids: string[]): Source[] => ids.map((documentId) => ({ documentId }) as Source)

describe('two answers compared', () => {
  it('share the names and documents that lie on paths of both', () => {
    const { names, documents, shared } = comparePaths(
      {
        reasoning: [
          path(entity('a'), document('x'), entity('b')),
          path(entity('a'), document('y')),
        ],
        sources: [],
      },
      { reasoning: [path(entity('c'), document('y'), entity('b'))], sources: [] },
    )
    expect(names.map(({ id }) => id)).toEqual(['b'])
    expect(documents.map(({ id }) => id)).toEqual(['y'])
    expect([...shared]).toEqual(['entity\nb', 'document\ny'])
  })

  it('tell a name from a document of the same id', () => {
    expect(
      comparePaths(
        { reasoning: [path(entity('a'))], sources: [] },
        { reasoning: [path(document('a'))], sources: [] },
      ).shared.size,
    ).toBe(0)
  })

  it('count each document among the sources once', () => {
    expect(
      comparePaths(
        { reasoning: [], sources: sources('x', 'x', 'y') },
        { reasoning: [], sources: sources('y', 'z', 'w') },
      ),
    ).toMatchObject({ sourcesBoth: 1, sourcesFirst: 1, sourcesSecond: 2 })
  })
})
