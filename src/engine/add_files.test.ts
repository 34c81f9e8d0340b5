import { describe, expect, it } from 'vitest'
import { openTestEngine } from '../testing/open_test_engine.ts'

describe('adding files', () => {
  it('tells what was assumed about those that were taken, and of the refused why', async () => {
    const engine = await openTestEngine([])
    const latin = new Uint8Array([...'Ren\u00e9 lives in K\u00f6ln.'].map((c) => c.charCodeAt(0)))
    const came = await engine.add(
      [
        new File([latin], 'rene.txt'),
        new File(['Ada lives in Porto.'], 'ada.txt'),
        new File(['x'], 'old.doc'),
      ],
      { onInvalid: 'skip' },
    )
    expect(came.added).toEqual(['rene.txt', 'ada.txt'])
    expect(came.warnings?.map(({ name }) => name)).toEqual(['rene.txt'])
    expect(came.warnings?.[0]?.message).toContain('not UTF-8 (byte 3)')
    expect(came.rejected.map(({ name }) => name)).toEqual(['old.doc'])
    const again = await engine.add(new File(['Ada lives in Porto.'], 'ada.txt'))
    expect(again).not.toHaveProperty('warnings')
    await engine.close()
  })
})
