/** `hubmesh model add`: makes a folder of model files one that hubmesh takes. */
import type { DescribeModelOptions } from '../embed/describe/describe_model.ts'
import type { ModelManifest } from '../embed/manifests.ts'
import { addModel } from '../embed/describe/node_model_folder.ts'
import { FLAG, oneOfFlag, readWords, TEXT, usage, wholeFlag, type Command } from './command.ts'
import { megabytes } from './terminal.ts'

const HELP = `hubmesh model add DIR [options]
Writes DIR/manifest.json: sizes and SHA-256 of the files, dimensions, pooling, prefixes, tokens. DIR
holds a model as transformers.js has them: config.json, tokenizer.json, tokenizer_config.json and
onnx/model_quantized.onnx. E5, BGE, GTE, Arctic and MiniLM are recognised by the folder's name or by
config.json; for others the maker's page says what to give. Then --model DIR takes it.

  --name NAME          the known model that it is, or your own name for it
  --pooling NAME       mean | cls
  --query-prefix TEXT  what stands before a question; '' for nothing
  --passage-prefix TEXT  what stands before a passage; '' for nothing
  --max-tokens N       tokens it reads, 8 to 256
  --trust N            weight of its cosine beside all-MiniLM-L6-v2's, 0.1 to 4 (default: 1, or what
                       was measured)
  --reads NAME         latin | all: the scripts it reads (default: by its tokenizer)
  --onnx FILE          the ONNX file, from DIR (default: the first quantized one)
  --license TEXT       its licence
  --json               the manifest, as JSON`

const FLAGS = {
  ...{ name: TEXT, pooling: TEXT, 'query-prefix': TEXT, 'passage-prefix': TEXT },
  ...{ 'max-tokens': TEXT, trust: TEXT, reads: TEXT, onnx: TEXT, license: TEXT, json: FLAG },
}

export const MODEL: Command = {
  help: HELP,
  prepare(words) {
    const { values, positionals } = readWords('model', words, FLAGS),
      [verb, folder, ...rest] = positionals
    if (verb !== 'add' || folder === undefined || rest.length > 0)
      throw usage('model', 'Say: hubmesh model add DIR.')
    const options = optionsOf(values)
    return async (terminal) => {
      const manifest = await addModel(folder, options)
      if (values.json) terminal.print(JSON.stringify(manifest))
      else for (const line of told(manifest, folder)) terminal.print(line)
      return undefined
    }
  },
}

type Values = Readonly<Partial<Record<Exclude<keyof typeof FLAGS, 'json'>, string | undefined>>>

function optionsOf(values: Values): DescribeModelOptions {
  const {
      name,
      pooling,
      reads,
      onnx,
      license,
      trust,
      'query-prefix': queryPrefix,
      'passage-prefix': passagePrefix,
      'max-tokens': tokens,
    } = values,
    given = {
      ...{ name, onnx, license, queryPrefix, passagePrefix },
      pooling: pooling && oneOfFlag('model', 'pooling', pooling, ['mean', 'cls']),
      reads: reads && oneOfFlag('model', 'reads', reads, ['latin', 'all']),
      maxTokens: tokens && wholeFlag('model', 'max-tokens', tokens, 256, 8, 256),
      meaningTrust: trust && trustFlag(trust),
    }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function trustFlag(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0.1 && value <= 4))
    throw usage(
      'model',
      `--trust is ${JSON.stringify(text.slice(0, 40))}; it must be a number from 0.1 to 4.`,
    )
  return value
}

function told(manifest: ModelManifest, folder: string): string[] {
  const { identity, queryPrefix, passagePrefix, files, meaningTrust, reads } = manifest,
    bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return [
    `${manifest.name}: ${identity.dims} dimensions, ${identity.pooling} pooling, ${identity.dtype}, ` +
      `${manifest.maxTokens} tokens, ${megabytes(bytes)}, licence ${manifest.license}`,
    reads === 'latin'
      ? 'reads Latin script alone: passages in others are found by their words'
      : 'reads all scripts of its tokenizer',
    `before a question ${JSON.stringify(queryPrefix)}, before a passage ${JSON.stringify(passagePrefix)}`,
    meaningTrust === undefined
      ? "its cosine counts 1, as all-MiniLM-L6-v2's: nobody measured it. hubmesh bench on questions " +
        'of your own tells what --trust should be'
      : `its cosine counts ${meaningTrust} of all-MiniLM-L6-v2's`,
    `wrote manifest.json; take it by --model ${folder}`,
  ]
}
