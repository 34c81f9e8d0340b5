/** What tells embedders apart. */

/** What runs a model: they round differently, which an int8 model amplifies (cosine from .995). */
export type ModelRuntime = 'wasm' | 'native'

/** Identity of an embedder: vectors of two identities must never be compared. */
export interface EmbedderIdentity {
  readonly model: string
  readonly revision: string
  readonly dtype: string
  readonly dims: number
  readonly pooling: string
  /**
   * What ran the model. Absent for embedders to which it means nothing, and in what was stored
   * before 0.2, which counts as what that used: native in Node, wasm in a page.
   */
  readonly runtime?: ModelRuntime
}
