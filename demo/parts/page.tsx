/** The frame of the page: head, shelf, thread, side panel; shelf and panel are sheets on a phone. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { install } from '../platform/install.ts'
import { saveSettings } from '../platform/settings.ts'
import { wipeSite } from '../platform/wipe.ts'
import type { Agents } from '../session/agents.ts'
import type { Answering } from '../session/answering.ts'
import type { Archives } from '../session/archives.ts'
import type { Asking } from '../session/asking.ts'
import type { Corpora } from '../session/corpora.ts'
import { deleteAll } from '../session/losses.ts'
import type { Dialog, State, Store } from '../session/state.ts'
import { words, type Language } from '../words/words.ts'
import { ModelsDialog } from './dialogs/models_dialog.tsx'
import { SettingsDialog } from './dialogs/settings_dialog.tsx'
import { ShareDialog } from './dialogs/share_dialog.tsx'
import { WipeDialog } from './dialogs/wipe_dialog.tsx'
import { Head } from './head.tsx'
import { HintLayer } from './hint.tsx'
import { useMedia, useStore } from './hooks.ts'
import { Shelf } from './shelf/shelf.tsx'
import { SidePanel } from './side/side_panel.tsx'
import { Thread } from './thread/thread.tsx'
import { useDrop } from './use_drop.ts'

export interface PageProps {
  readonly store: Store
  readonly corpora: Corpora
  readonly asking: Asking
  readonly answering: Answering
  readonly archives: Archives
  readonly agents: Agents
  readonly language: Language
  readonly speak: (language: Language) => void
}

export function Page(props: PageProps): JSX.Element {
  const { store, corpora } = props,
    state = useStore(store),
    wide = useMedia('(min-width: 1100px)'),
    dragging = useDrop(corpora),
    t = words().page
  const open = (dialog: Dialog) => (): void => {
    store.set({ dialog })
  }
  return (
    <>
      <Head
        state={state}
        wide={wide}
        toShelf={() => {
          store.set({ sheet: 'shelf' })
        }}
        openSettings={open('settings')}
      />
      <main class={wide ? 'columns' : 'single'} data-asking={state.asking}>
        <h1 class="sr-only">{t.heading}</h1>
        <Columns {...props} state={state} wide={wide} dragging={dragging} open={open} />
      </main>
      {dragging && (
        <div class="drop-veil" aria-hidden="true">
          <p>{t.dropAnywhere}</p>
        </div>
      )}
      <Dialogs {...props} state={state} />
      <HintLayer />
      <p class="sr-only" role="status" aria-live="polite">
        {state.announcement}
      </p>
    </>
  )
}

interface ColumnsProps extends PageProps {
  readonly state: State
  readonly wide: boolean
  readonly dragging: boolean
  readonly open: (dialog: Dialog) => () => void
}

function Columns(props: ColumnsProps): JSX.Element {
  const { store, corpora, asking, archives, state, wide, dragging, open } = props,
    t = words()
  const toShelf = (): void => {
    store.set({ sheet: 'shelf' })
    if (wide) document.querySelector<HTMLElement>('.drop-zone button')?.focus()
  }
  const centre = (name: string | null): void => {
    store.set({ centred: name, side: 'graph', sheet: 'side' })
  }
  return (
    <>
      <Sheet id="shelf" label={t.shelf.title} store={store} state={state} wide={wide}>
        <Shelf
          state={state}
          corpora={corpora}
          archives={archives}
          asking={asking}
          dragging={dragging}
          share={open('share')}
          wipe={open('wipe')}
        />
      </Sheet>
      <section
        class="panel thread"
        aria-label={t.settings.conversation}
        inert={!wide && state.sheet !== null}
      >
        <Thread
          {...props}
          open={(id, at, mark) => {
            asking.openDocument(id, at, mark)
          }}
          centre={centre}
          toShelf={toShelf}
          toWhy={() => {
            store.set({ side: 'why', sheet: 'side' })
          }}
          chooseModel={open('models')}
        />
      </section>
      <Sheet id="side" label={t.side.title} store={store} state={state} wide={wide}>
        <SidePanel
          state={state}
          asking={asking}
          corpora={corpora}
          archives={archives}
          choose={(side) => {
            store.set({ side })
          }}
          centre={centre}
        />
      </Sheet>
    </>
  )
}

interface SheetProps {
  readonly id: 'shelf' | 'side'
  readonly label: string
  readonly store: Store
  readonly state: State
  readonly wide: boolean
  readonly children: JSX.Element
}

/** A column, or what lies over the thread where there is one column. */
function Sheet({ id, label, store, state, wide, children }: SheetProps): JSX.Element {
  const element = useRef<HTMLElement>(null),
    shown = wide || state.sheet === id,
    lies = !wide && shown
  useEffect(() => {
    if (!lies) return
    const before = document.activeElement
    element.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [lies])
  const close = (): void => {
    store.set({ sheet: null })
  }
  return (
    <aside
      ref={element}
      id={`panel-${id}`}
      class={`panel panel-${id}${lies ? ' sheet' : ''}`}
      hidden={!shown}
      aria-label={label}
      tabIndex={-1}
      {...(lies ? { role: 'dialog', 'aria-modal': true } : {})}
      onKeyDown={(event) => {
        if (lies && event.key === 'Escape') close()
      }}
    >
      {lies && (
        <button type="button" class="sheet-close" aria-label={words().page.close} onClick={close}>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <path d="M2 2l6 6M8 2 2 8" />
          </svg>
        </button>
      )}
      {shown && children}
    </aside>
  )
}

function Dialogs(props: PageProps & { readonly state: State }): JSX.Element | null {
  const { store, corpora, answering, archives, agents, language, speak, state } = props
  const close = (): void => {
    store.set({ dialog: null })
  }
  switch (state.dialog) {
    case null:
      return null
    case 'models':
      return <ModelsDialog state={state} answering={answering} close={close} />
    case 'share':
      return <ShareDialog state={state} archives={archives} close={close} />
    case 'wipe':
      return (
        <WipeDialog
          state={state}
          archives={archives}
          close={close}
          wipe={async () => {
            const left = await deleteAll(corpora)
            if (left.length === 0) await wipeSite()
            return left
          }}
        />
      )
    case 'settings':
      return (
        <SettingsDialog
          state={state}
          language={language}
          speak={speak}
          close={close}
          save={({ agents: may, ...chosen }) => {
            const settings = { ...store.state.settings, ...chosen }
            saveSettings(settings)
            store.set({ settings })
            agents.allow(may)
          }}
          wipe={() => {
            store.set({ dialog: 'wipe' })
          }}
          install={() => {
            store.set({ installable: false })
            void install()
          }}
        />
      )
  }
}
