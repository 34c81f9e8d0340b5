/**
 * Types of hnswlib-wasm's module. Its loader always prints, mounts IndexedDB, and is missing for
 * Node.
 */
declare module 'hnswlib-wasm/dist/hnswlib-317962d7.js' {
  export interface HnswHandle {
    initIndex(maxElements: number, m: number, efConstruction: number, randomSeed: number): void
    addPoints(
      items: readonly Float32Array[],
      labels: readonly number[],
      replaceDeleted: boolean,
    ): void
    markDelete(label: number): void
    unmarkDelete(label: number): void
    resizeIndex(maxElements: number): void
    setEfSearch(ef: number): void
    searchKnn(
      query: Float32Array,
      k: number,
      filter: ((label: number) => boolean) | undefined,
    ): { distances: number[]; neighbors: number[] }
    getMaxElements(): number
    getCurrentCount(): number
    writeIndex(name: string): void
    readIndex(name: string, maxElements: number): void
    delete(): void
  }
  export interface HnswModule {
    readonly HierarchicalNSW: new (space: 'ip', dims: number, autoSaveName: '') => HnswHandle
    readonly EmscriptenFileSystemManager: {
      initializeFileSystem(kind: 'IDBFS'): void
      isInitialized(): boolean
      syncFS(read: boolean, callback: undefined): void
    }
    readonly HEAPU8: Uint8Array
  }
  const factory: (settings: {
    print(line: string): void
    printErr(line: string): void
  }) => Promise<HnswModule>
  export default factory
}
