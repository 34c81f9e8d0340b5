/** The arms of bench_embed: functions that run in a page and take nothing from outside. */

/** Runs in the page: the library's own loop, with the files beside it instead of a hub. */
export async function startPlain(warm) {
  const { env, pipeline } = await import('/transformers/transformers.min.js')
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.localModelPath = '/models/'
  env.backends.onnx.wasm.wasmPaths = '/ort/'
  const extract = await pipeline('feature-extraction', 'all-MiniLM-L6-v2', { dtype: 'q8' })
  globalThis.embedAll = async (documents) => {
    const texts = documents.map(({ title, text }) => (title === '' ? text : `${title}. ${text}`))
    const started = performance.now()
    for (let at = 0; at < texts.length; at += 8)
      await extract(texts.slice(at, at + 8), { pooling: 'mean', normalize: true })
    return (performance.now() - started) / 1000
  }
  globalThis.facts = () => ({
    isolated: crossOriginIsolated,
    workers: 1,
    threads: env.backends.onnx.wasm.numThreads ?? 1,
  })
  await globalThis.embedAll(warm)
}

/** Runs in the page: the package as it is served, with its defaults. */
export async function startEngine(warm) {
  const { createEngine } = await import('/hubmesh/hubmesh.js')
  let workers = 0
  const embed = () => {
    workers++
    return new Worker('/hubmesh/embed.worker.js', { type: 'module' })
  }
  // One passage a document, as the plain loop reads them.
  const engine = await createEngine({
    corpus: 'bench',
    model: '/models/all-MiniLM-L6-v2/',
    ort: '/ort/',
    chunk: { strategy: 'none' },
    workers: { embed },
  })
  globalThis.embedAll = async (documents) => {
    await engine.pauseEmbedding()
    await engine.add(documents)
    const started = performance.now()
    await engine.resumeEmbedding()
    await engine.ready('vectors')
    return (performance.now() - started) / 1000
  }
  globalThis.facts = () => ({ isolated: crossOriginIsolated, workers, threads: 1 })
  globalThis.vectors = async () => {
    const bytes = new Uint8Array(await (await engine.export()).arrayBuffer())
    let binary = ''
    for (let at = 0; at < bytes.length; at += 0x8000)
      binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
    return btoa(binary)
  }
  await globalThis.embedAll(warm)
}
