import { describe, expect, it, vi } from 'vitest'
import type { PageConditions } from './pace.ts'
import { watchPage } from './page_conditions.ts'
import type { PageScope } from './page_conditions.ts'

class Page extends EventTarget {
  visibilityState = 'visible'
  turn(state: 'visible' | 'hidden'): void {
    this.visibilityState = state
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

class Battery extends EventTarget {
  constructor(
    public charging: boolean,
    public level: number,
  ) {
    super()
  }
  become(charging: boolean, level: number): void {
    this.charging = charging
    this.level = level
    this.dispatchEvent(new Event('chargingchange'))
    this.dispatchEvent(new Event('levelchange'))
  }
}

const both = (hidden: boolean, savingPower: boolean): PageConditions => ({ hidden, savingPower })

describe('watching the page', () => {
  it('tells at once how it is, then every change of visibility, once each', () => {
    const document = new Page(),
      heard: PageConditions[] = []
    document.visibilityState = 'hidden'
    const stop = watchPage(
      (conditions) => {
        heard.push(conditions)
      },
      { document },
    )
    document.turn('hidden')
    document.turn('visible')
    document.turn('hidden')
    stop()
    document.turn('visible')
    expect(heard).toEqual([both(true, false), both(false, false), both(true, false)])
  })

  it('takes a frozen page for a hidden one until it is resumed', () => {
    const document = new Page(),
      heard: PageConditions[] = []
    watchPage(
      (conditions) => {
        heard.push(conditions)
      },
      { document },
    )
    document.dispatchEvent(new Event('freeze'))
    document.dispatchEvent(new Event('resume'))
    expect(heard).toEqual([both(false, false), both(true, false), both(false, false)])
  })

  it('spares a battery that is low and not being charged', async () => {
    const battery = new Battery(false, 0.9),
      heard: PageConditions[] = []
    const stop = watchPage(
      (conditions) => {
        heard.push(conditions)
      },
      { document: new Page(), navigator: { getBattery: () => Promise.resolve(battery) } },
    )
    await Promise.resolve()
    await vi.waitFor(() => {
      battery.become(false, 0.2)
      expect(heard).toHaveLength(2)
    })
    battery.become(true, 0.2)
    battery.become(true, 0.1)
    stop()
    battery.become(false, 0.1)
    expect(heard).toEqual([both(false, false), both(false, true), both(false, false)])
  })

  it.each<[string, PageScope]>([
    ['no document', {}],
    ['no battery', { document: new Page(), navigator: {} }],
    [
      'a battery that is refused',
      {
        document: new Page(),
        navigator: { getBattery: () => Promise.reject(new DOMException('no', 'NotAllowedError')) },
      },
    ],
    [
      'a battery that throws',
      {
        document: new Page(),
        navigator: {
          getBattery: () => {
            throw new TypeError('no')
          },
        },
      },
    ],
  ])('takes a host with %s for one that is watched and mains-powered', async (_name, scope) => {
    const heard: PageConditions[] = []
    watchPage((conditions) => {
      heard.push(conditions)
    }, scope)
    await Promise.resolve()
    expect(heard).toEqual([both(false, false)])
  })
})
