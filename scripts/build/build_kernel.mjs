/** The build of the scan kernel: AssemblyScript source in, src/vector/kernel_wasm.ts out. */
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const target = join(root, 'src/vector/kernel_wasm.ts')

/**
 * Compiles the kernel and gives the text of kernel_wasm.ts; rejects with the compiler's messages.
 */
export async function buildKernel() {
  const asc = (await import('assemblyscript/asc')).default
  const source = await readFile(join(root, 'src/vector/kernel/kernel.ts'), 'utf8')
  const outputs = new Map()
  const { error, stderr } = await asc.main(
    [
      'kernel.ts',
      '--outFile',
      'kernel.wasm',
      '--runtime',
      'stub',
      '--optimizeLevel',
      '3',
      '--shrinkLevel',
      '0',
      '--noAssert',
      '--enable',
      'simd',
      '--initialMemory',
      '1',
    ],
    {
      readFile: (name) => (name === 'kernel.ts' ? source : null),
      writeFile: (name, contents) => {
        outputs.set(name, contents)
      },
      listFiles: () => [],
    },
  )
  if (error)
    throw new Error(`The scan kernel does not compile: ${error.message}\n${stderr.toString()}`)
  const bytes = Buffer.from(outputs.get('kernel.wasm'))
  return [
    '/** The compiled scan kernel as base64. ' +
      'Written by `npm run build:kernel` from kernel/kernel.ts; do not edit. */',
    `export const KERNEL_WASM_BASE64 =\n  '${bytes.toString('base64').replace(/.{120}(?=.)/g, "$&' +\n  '")}'`,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await buildKernel()
  await writeFile(target, text)
  process.stdout.write(`${target}: ${text.length} bytes\n`)
}
