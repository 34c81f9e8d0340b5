/** Opening a corpus with the models that a person agreed to. */
import type { Engine } from '../../src/index.ts'
import { openEngine, type EngineChoices } from '../platform/engine.ts'
import { modelCosts } from '../platform/metered.ts'
import { problemOf, type Problem } from '../words/problems.ts'

export interface OpenedCorpus {
  readonly engine: Engine
  /** The vectors are by another model: names and words answer until a person agrees to new ones. */
  readonly problem: Problem | null
}

export class CorpusOpener {
  private model = false
  /** The corpus whose vectors may be replaced. */
  private reembed: string | null = null

  /** A person agreed to load the model on a metered connection, or to replace a corpus' vectors. */
  agreed(what: 'model' | 'reembed', corpus: string | null): void {
    if (what === 'model') this.model = true
    else this.reembed = corpus
  }

  /** Whether the model is left out, as its bytes cost and nobody agreed to them. */
  async metered(): Promise<boolean> {
    return !this.model && (await modelCosts())
  }

  async open(
    name: string,
    storage: 'indexeddb' | 'memory',
    choices: EngineChoices,
  ): Promise<OpenedCorpus> {
    const reembed = this.reembed === name
    this.reembed = null
    try {
      return { engine: await openEngine(name, storage, { ...choices, reembed }), problem: null }
    } catch (error) {
      const problem = problemOf(error)
      if (problem.remedy !== 'reembed') throw error
      return { engine: await openEngine(name, storage, { ...choices, meaning: false }), problem }
    }
  }
}
