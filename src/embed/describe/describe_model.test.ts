import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '../../cli/run.ts'
import { createEngine } from '../../node.ts'
import { BGE_SMALL_INT8 } from '../manifests.ts'
import { NodeEmbedder } from '../node_embedder.ts'
import { makeModel, type TinyModel } from '../testing/make_model.ts'
import { describeModel, type DescribeModelOptions } from './describe_model.ts'
import { addModel, manifestOf } from './node_model_folder.ts'

const BGE = fileURLToPath(new URL('../../../../shared/models/bge-small-en-v1.5', import.meta.url))
if (!existsSync(BGE)) console.info('skipped: ../shared/models/bge-small-en-v1.5 is not here')

const LATIN = ['harbour', 'ferry', 'tide']
const MANY = ['harbour', 'Hafen', '港口', '渡轮', 'гавань', 'паром', '港', 'フェリー']
const bert = (hidden: number, layers: number, more: object = {}) => ({
  ...{ model_type: 'bert', hidden_size: hidden, num_hidden_layers: layers },
  ...{ max_position_embeddings: 512, ...more },
})
const xlm = (hidden: number, layers: number, positions = 514) => ({
  ...bert(hidden, layers),
  ...{ model_type: 'xlm-roberta', max_position_embeddings: positions },
})

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hubmesh-model-'))
})
afterAll(async () => {
  await rm(root, { recursive: true, force: true })
})

let made = 0
async function folderOf(
  name: string,
  config: object,
  more: Partial<TinyModel> = {},
): Promise<string> {
  const kind = more.kind ?? ('bert' as const)
  return makeModel(join(root, String(++made), name), {
    ...{ config: config as TinyModel['config'], kind, words: kind === 'xlm' ? MANY : LATIN },
    ...more,
  })
}

const BGE_PREFIX = 'Represent this sentence for searching relevant passages: '
type Case = [
  folder: string,
  config: object,
  kind: 'bert' | 'xlm',
  pooling: string,
  query: string,
  passage: string,
  tokens: number,
]
const FAMILIES: Case[] = [
  ['e5-small-v2', bert(384, 12), 'bert', 'mean', 'query: ', 'passage: ', 256],
  ['multilingual-e5-small', bert(384, 12), 'xlm', 'mean', 'query: ', 'passage: ', 256],
  ['multilingual-e5-large', xlm(1024, 24), 'xlm', 'mean', 'query: ', 'passage: ', 256],
  ['bge-base-en-v1.5', bert(768, 12), 'bert', 'cls', BGE_PREFIX, '', 256],
  ['bge-m3', xlm(1024, 24, 8194), 'xlm', 'cls', '', '', 256],
  ['gte-small', bert(384, 12), 'bert', 'mean', '', '', 256],
  ['gte-multilingual-base', bert(768, 12, { model_type: 'new' }), 'xlm', 'cls', '', '', 256],
  ['snowflake-arctic-embed-xs', bert(384, 6), 'bert', 'cls', BGE_PREFIX, '', 256],
  ['snowflake-arctic-embed-l-v2.0', xlm(1024, 24, 8194), 'xlm', 'cls', 'query: ', '', 256],
  ['all-MiniLM-L12-v2', bert(384, 12), 'bert', 'mean', '', '', 128],
  ['paraphrase-multilingual-MiniLM-L12-v2', bert(384, 12), 'xlm', 'mean', '', '', 128],
]

describe('a folder of a known family', () => {
  it.each(FAMILIES)(
    '%s is recognised',
    async (name, config, kind, pooling, query, passage, max) => {
      const manifest = await addModel(await folderOf(name, config, { kind }))
      expect(manifest).toMatchObject({
        ...{ name, queryPrefix: query, passagePrefix: passage, maxTokens: max },
        identity: { dims: (config as { hidden_size: number }).hidden_size, pooling, dtype: 'int8' },
      })
      expect(manifest.reads).toBe(kind === 'xlm' ? undefined : 'latin')
      expect(manifest.tokenTypeIds).toBe(kind === 'xlm' ? false : undefined)
    },
  )

  it('is recognised by config.json where the folder has a name of its own', async () => {
    const config = bert(384, 12, { _name_or_path: '/root/.cache/intfloat_multilingual-e5-small/' }),
      manifest = await addModel(await folderOf('our-model', config, { kind: 'xlm' }))
    expect(manifest).toMatchObject({ name: 'our-model', queryPrefix: 'query: ' })
  })

  it('is refused where its config is of another model, with both shapes', async () => {
    await expect(addModel(await folderOf('bge-m3', bert(384, 12)))).rejects.toMatchObject({
      code: 'model/incompatible',
      message: expect.stringMatching(/1024 dimensions and 24 layers.*says 384 and 12/) as string,
    })
  })

  it('runs with its own tokenizer, without token_type_ids, from its manifest.json', async () => {
    const folder = await folderOf('multilingual-e5-small', bert(384, 12), { kind: 'xlm' })
    await addModel(folder)
    const embedder = await NodeEmbedder.open({ model: folder })
    const [one, same, other] = await embedder.embed(['渡轮', '渡轮', 'гавань'], { kind: 'passage' })
    expect(one).toEqual(same)
    expect(one).not.toEqual(other)
    await embedder.close()
    const engine = await createEngine({ corpus: 'mine', model: folder })
    await engine.add([
      { id: 'a', text: 'паром' },
      { id: 'b', text: '港' },
    ])
    await engine.ready('vectors')
    const { warnings, passagesWithVectors } = await engine.status()
    expect({ passagesWithVectors, warnings }).toEqual({ passagesWithVectors: 2, warnings: [] })
    await engine.close()
  })
})

describe('a folder of an unknown model', () => {
  const config = bert(384, 5, { _name_or_path: 'someone/own-model' }),
    all: DescribeModelOptions = { pooling: 'mean', queryPrefix: '', passagePrefix: 'text: ' }

  it('is refused with what it does not say, and taken with that', async () => {
    const folder = await folderOf('own', config)
    await expect(addModel(folder)).rejects.toMatchObject({
      code: 'input/invalid',
      details: { missing: ['pooling', 'queryPrefix', 'passagePrefix'] },
    })
    await expect(addModel(folder, { pooling: 'cls', queryPrefix: '' })).rejects.toMatchObject({
      details: { missing: ['passagePrefix'] },
    })
    const manifest = await addModel(folder, { ...all, maxTokens: 100, meaningTrust: 1.2 })
    expect(manifest).toMatchObject({ passagePrefix: 'text: ', maxTokens: 100, meaningTrust: 1.2 })
    expect(await manifestOf(folder)).toEqual(manifest)
  })

  it('has another identity with another passage prefix, as its vectors are others', async () => {
    const folder = await folderOf('own', config),
      plain = await addModel(folder, { ...all, passagePrefix: '' }),
      prefixed = await addModel(folder, all)
    expect(plain.identity.revision).toMatch(/^[0-9a-f]{12}$/)
    expect(prefixed.identity.revision).toMatch(/^[0-9a-f]{12}-[0-9a-f]{6}$/)
  })

  it('is taken by what sentence-transformers wrote beside it', async () => {
    const beside = {
        'modules.json': [{ type: 'sentence_transformers.models.Pooling' }],
        '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
        'sentence_bert_config.json': { max_seq_length: 64 },
        'config_sentence_transformers.json': { prompts: { query: 'q: ', document: 'd: ' } },
      },
      manifest = await addModel(await folderOf('own', config, { beside }))
    expect(manifest).toMatchObject({ queryPrefix: 'q: ', passagePrefix: 'd: ', maxTokens: 64 })
    expect(manifest.identity.pooling).toBe('cls')
  })

  it.each<[string, Partial<TinyModel>, object, string]>([
    ['a Dense layer', { beside: { 'modules.json': [{ type: 'x.Dense' }] } }, config, 'Dense'],
    [
      'another pooling',
      { beside: { '1_Pooling/config.json': { pooling_mode_max_tokens: true } } },
      config,
      'max_tokens',
    ],
    ['weights in a second file', { external: true }, config, 'second file'],
    ['no states', { output: 'logits' }, config, 'not last_hidden_state'],
    ['a decoder', { inputs: ['input_ids', 'past_key_values.0.key'] }, config, 'no encoder'],
    ['no hidden size', {}, { model_type: 't5', hidden_size: undefined }, 'no hidden_size'],
  ])('is refused with words for %s', async (_what, more, own, words) => {
    await expect(addModel(await folderOf('own', own, more), all)).rejects.toMatchObject({
      code: 'model/incompatible',
      message: expect.stringContaining(words) as string,
    })
  })

  it('is refused where a file is missing, damaged or a pointer to it', async () => {
    const folder = await folderOf('own', config)
    await writeFile(join(folder, 'config.json'), '{')
    await expect(addModel(folder, all)).rejects.toMatchObject({ code: 'model/incompatible' })
    await rm(join(folder, 'config.json'))
    await expect(addModel(folder, all)).rejects.toMatchObject({
      ...{ code: 'model/fetch', details: { file: 'config.json' } },
    })
    for (const bytes of [
      'version https://git-lfs.github.com/spec/v1\noid sha256:0',
      '',
      '\xff'.repeat(40),
    ]) {
      await writeFile(join(folder, 'onnx/model_quantized.onnx'), bytes)
      await expect(addModel(folder, all)).rejects.toThrow('no ONNX model')
    }
  })

  it('needs no disk: a page gives the files it was handed', async () => {
    const folder = await folderOf('own', config, { onnx: 'model.onnx' }),
      manifest = await describeModel(
        {
          name: basename(folder),
          read: async (path) =>
            readFile(join(folder, path)).then(
              (b) => new Uint8Array(b),
              () => null,
            ),
        },
        all,
      )
    expect(manifest).toEqual(await addModel(folder, all))
    expect(manifest.identity.dtype).toBe('fp32')
  })
})

describe('hubmesh model add', () => {
  async function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
    const said = { out: '', err: '' },
      sink = (key: 'out' | 'err') => ({
        write: (text: string) => {
          said[key] += text
          return true
        },
        isTTY: false,
      })
    const code = await runCommandLine(
      ['model', ...words],
      { stdout: sink('out'), stderr: sink('err') } as never,
      new AbortController().signal,
    )
    return { code, ...said }
  }

  it('says how the model is used, and that nobody measured its weight', async () => {
    const folder = await folderOf('gte-small', bert(384, 12)),
      { code, out } = await run('add', folder)
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('nobody measured it') })
    expect(out).toContain('gte-small: 384 dimensions, mean pooling, int8, 256 tokens')
  })

  it('refuses words that make no sense, and a folder that says too little', async () => {
    expect(await run('add')).toMatchObject({ code: 2 })
    expect(await run('add', 'x', '--trust', 'much')).toMatchObject({ code: 2 })
    expect(await run('add', 'x', '--pooling', 'max')).toMatchObject({ code: 2 })
    const { code, err } = await run('add', await folderOf('own', bert(384, 5)))
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('none of the families') })
  })

  it.skipIf(!existsSync(BGE))('writes of bge-small what the package knows of it', async () => {
    const folder = join(root, 'bge-small-en-v1.5')
    await cp(BGE, folder, { recursive: true })
    const { code, out } = await run('add', folder, '--json')
    expect({ code, manifest: JSON.parse(out) as unknown }).toEqual({
      code: 0,
      manifest: BGE_SMALL_INT8,
    })
    expect(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))).toEqual(
      BGE_SMALL_INT8,
    )
  })

  it.skipIf(!existsSync(BGE))('makes a folder of another name a model to ask with', async () => {
    const folder = join(root, 'ours')
    await cp(BGE, folder, { recursive: true })
    expect(await run('add', folder, '--name', 'bge-small-en-v1.5')).toMatchObject({ code: 0 })
    const engine = await createEngine({ corpus: 'mine', model: folder })
    await engine.add([
      { id: 'boat', text: 'The vessel sank in a storm off the coast.' },
      { id: 'cake', text: 'The recipe takes three eggs and some butter.' },
    ])
    await engine.ready('vectors')
    const { sources } = await engine.retrieve('shipwreck', { tier: 'full' })
    expect(sources[0]!.documentId).toBe('boat')
    await engine.close()
  })
})
