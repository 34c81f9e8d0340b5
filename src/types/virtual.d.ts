/** Types of modules that the build makes: the workers as text (scripts/build/build_inline.ts). */
declare module 'virtual:hubmesh/engine_worker_source' {
  export const source: string
}
declare module 'virtual:hubmesh/embed_worker_source' {
  export const source: string
}
