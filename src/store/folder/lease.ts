/**
 * The lease by which one program writes to a folder: a file with a random token and a heartbeat.
 * It only keeps writers out of each other's way; what makes a second one harmless is the exclusive
 * creation of each manifest.
 */
import type { FileHandle } from 'node:fs/promises'
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { nodeBuiltin } from './node_builtin.ts'
import { now } from '../../base/platform.ts'
import { randomName } from '../segments/segment.ts'
import { codeOf, createExclusively, fileError, join, readBytes, removeFile } from './files.ts'

const { open, readlink, readFile, rename, link } = nodeBuiltin('node:fs/promises')

const NAME = 'LEASE'
/** Digits of the heartbeat's count, which stands first. */
const COUNT_CHARS = 16

/** A lease of another as last read, and since when its heartbeat has stood still. */
interface Sighting {
  readonly text: string
  readonly since: number
  /** It was seen to beat. */
  readonly alive: boolean
}

export class Lease {
  private handle: FileHandle | null = null
  private timer: ReturnType<typeof setInterval> | null = null
  private sighting: Sighting | null = null
  private readonly path: string

  constructor(
    private readonly directory: string,
    private readonly beatMs: number = LIMITS.leaseBeatMs,
  ) {
    this.path = join(directory, NAME)
  }

  get held(): boolean {
    return this.handle !== null
  }

  /** Rejects with `writer/not-leader` while another program's lease beats. */
  async take(): Promise<void> {
    while (this.handle === null) {
      const token = randomName()
      if (await createExclusively(this.directory, NAME, await leaseText(token))) {
        await this.keep()
        return
      }
      await this.outlive()
    }
  }

  /** Ends with another's lease gone, or rejects because its owner lives. */
  private async outlive(): Promise<void> {
    for (;;) {
      const bytes = await readBytes(this.path)
      if (bytes === null) return
      const text = new TextDecoder().decode(bytes)
      const { sighting } = this
      if (sighting === null || ownerOf(sighting.text) !== ownerOf(text))
        this.sighting = { text, since: now(), alive: false }
      else if (sighting.text !== text) this.sighting = { text, since: now(), alive: true }
      const seen = this.sighting!,
        still = now() - seen.since
      if (still > LIMITS.leaseBeats * this.beatMs || (await isSurelyDead(text))) {
        await this.clear(text)
        return
      }
      if (seen.alive) throw taken(this.path)
      await new Promise((resolve) => setTimeout(resolve, this.beatMs / 2))
    }
  }

  /** Takes a dead owner's lease away; gives it back where it is another's by now. */
  private async clear(text: string): Promise<void> {
    const aside = `${this.path}.${randomName()}.tmp`
    try {
      await rename(this.path, aside)
      const moved = new TextDecoder().decode((await readBytes(aside)) ?? new Uint8Array())
      if (ownerOf(moved) !== ownerOf(text)) await link(aside, this.path)
    } catch (error) {
      if (!['ENOENT', 'EEXIST'].includes(codeOf(error))) throw fileError(error, this.path)
    }
    await removeFile(aside)
    this.sighting = null
  }

  private async keep(): Promise<void> {
    // Beats go to the file itself, not to whatever has its name by then.
    const handle = await open(this.path, 'r+')
    this.handle = handle
    let count = 0
    this.timer = setInterval(() => {
      // without a beat others take over, and our next manifest is refused
      handle.write(String(++count).padStart(COUNT_CHARS, '0'), 0).catch(() => undefined)
    }, this.beatMs)
    this.timer.unref()
  }

  async release(): Promise<void> {
    const { handle } = this
    if (handle === null) return
    this.handle = null
    if (this.timer !== null) clearInterval(this.timer)
    try {
      const { ino } = await handle.stat(),
        named = await open(this.path, 'r')
      const ours = (await named.stat()).ino === ino
      await named.close()
      if (ours) await removeFile(this.path)
    } catch {
      // gone already
    }
    await handle.close().catch(() => undefined)
  }
}

async function leaseText(token: string): Promise<string> {
  return `${'0'.padStart(COUNT_CHARS, '0')} ${token} ${process.pid} ${await hostOf()}`
}

/** Everything but the heartbeat. */
const ownerOf = (text: string): string => text.slice(COUNT_CHARS)

/** Names this start of this machine and its space of process numbers; '' where nothing does. */
async function hostOf(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()}/${await readlink('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}

/**
 * True where the owner's process number is of our own space and free: no need to wait for beats. A
 * number that another process has by now proves nothing, nor does one of another container.
 */
async function isSurelyDead(text: string): Promise<boolean> {
  const [, , pid = '', host = ''] = text.split(' ')
  if (host === '' || host !== (await hostOf())) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}

function taken(path: string): HubmeshError {
  return new HubmeshError(
    'writer/not-leader',
    `Another program writes to this corpus and holds ${path}. This one reads and follows; close ` +
      'the corpus there and call again.',
    { details: { path }, retryable: true },
  )
}
