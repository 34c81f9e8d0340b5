/** Whether this connection costs by the byte, and whether the meaning model is here already. */

const MODEL_URL = `${import.meta.env.BASE_URL}models/all-MiniLM-L6-v2/onnx/model_quantized.onnx`

interface Connection {
  readonly saveData?: boolean
  readonly type?: string
}

/** True where the browser says that data are saved or mobile; browsers that do not tell: false. */
export function connectionMetered(): boolean {
  const { navigator } = globalThis as {
    readonly navigator?: { readonly connection?: Connection }
  }
  const connection = navigator?.connection
  return connection?.saveData === true || connection?.type === 'cellular'
}

/** True where loading the model would cost a person on a metered connection. */
export async function modelCosts(): Promise<boolean> {
  if (!connectionMetered()) return false
  try {
    return (await caches.match(MODEL_URL)) === undefined
  } catch {
    return true
  }
}
