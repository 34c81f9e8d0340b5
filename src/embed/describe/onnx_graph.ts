/** What an ONNX file asks for and gives, read from its protobuf: names alone, no weights. */
import { HubmeshError } from '../../base/errors.ts'

export interface OnnxGraph {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** Whether weights lie in a second file (`model.onnx_data`). */
  readonly external: boolean
}

/** Field numbers of onnx.proto3. */
const MODEL_GRAPH = 7
const GRAPH = { initializer: 5, input: 11, output: 12 } as const
const VALUE_NAME = 1
const TENSOR_LOCATION = 14
const DECODER = new TextDecoder()

/** Throws `model/incompatible` for bytes that are no ONNX model. Linear in fields, not in bytes. */
export function readOnnxGraph(bytes: Uint8Array, file: string): OnnxGraph {
  const inputs: string[] = [],
    outputs: string[] = []
  let graphs = 0,
    external = false
  try {
    for (const model of fieldsOf(bytes)) {
      if (model.number !== MODEL_GRAPH || model.bytes === null) continue
      graphs++
      for (const { number, bytes: part } of fieldsOf(model.bytes)) {
        if (part === null) continue
        if (number === GRAPH.input) inputs.push(nameOf(part))
        else if (number === GRAPH.output) outputs.push(nameOf(part))
        else if (number === GRAPH.initializer && !external) external = isExternal(part)
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    graphs = 0
  }
  if (graphs !== 1)
    throw new HubmeshError(
      'model/incompatible',
      `${file} is no ONNX model, or only a part of one. Fetch it again; a file of some hundred ` +
        'bytes is a Git LFS pointer, not the model.',
      { details: { file, bytes: bytes.length } },
    )
  return { inputs, outputs, external }
}

interface Field {
  readonly number: number
  /** Of a length-delimited field, else null. */
  readonly bytes: Uint8Array | null
  /** Of a varint, else 0. */
  readonly value: number
}

/** Throws RangeError where the bytes are no protobuf message. */
function* fieldsOf(message: Uint8Array): Generator<Field> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      if (at >= message.length || shift > 2 ** 63) throw new RangeError('a broken varint')
      const byte = message[at++]!
      value += (byte & 127) * shift
      if (byte < 128) return value
    }
  }
  const skip = (length: number): Uint8Array => {
    if (length > message.length - at) throw new RangeError('a field past the end')
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const key = varint(),
      number = Math.floor(key / 8)
    let bytes: Uint8Array | null = null,
      value = 0
    switch (key % 8) {
      case 0:
        value = varint()
        break
      case 1:
        skip(8)
        break
      case 2:
        bytes = skip(varint())
        break
      case 5:
        skip(4)
        break
      default:
        throw new RangeError('an unknown wire type')
    }
    yield { number, bytes, value }
  }
}

function nameOf(value: Uint8Array): string {
  for (const { number, bytes } of fieldsOf(value))
    if (number === VALUE_NAME && bytes !== null) return DECODER.decode(bytes)
  return ''
}

function isExternal(tensor: Uint8Array): boolean {
  for (const { number, value } of fieldsOf(tensor))
    if (number === TENSOR_LOCATION) return value === 1
  return false
}
