/** The map as sigma.js draws it: names as dots, areas as colours, labels where there is room. */
import Graph from 'graphology'
import Sigma from 'sigma'
import type { Placed } from './layout.ts'
import type { GraphPart } from './source.ts'

export interface MapColours {
  readonly ink: string
  readonly line: string
  readonly accent: string
  /** One for each area in turn. */
  readonly areas: readonly string[]
}

export interface NameMap {
  /** Shows a name large, its neighbours with it, all else pale; null shows all alike. */
  select(name: string | null): void
  zoom(factor: number): void
  whole(): void
  kill(): void
}

interface Dot {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly color: string
  readonly label: string
}

/** Throws where the browser has no WebGL 2. */
export function drawMap(
  container: HTMLElement,
  part: GraphPart,
  placed: readonly Placed[],
  colours: MapColours,
  click: (name: string) => void,
): NameMap {
  const graph = graphOf(part, placed, colours)
  let chosen: string | null = null
  const near = (name: string): boolean =>
    chosen === null || name === chosen || graph.areNeighbors(name, chosen)
  const sigma = new Sigma(graph, container, {
    settings: {
      renderLabels: true,
      labelDensity: 0.7,
      labelGridCellSize: 110,
      labelRenderedSizeThreshold: 2.5,
      itemSizesReference: 'screen',
      minCameraRatio: 0.03,
      maxCameraRatio: 2,
      allowInvalidContainer: true,
      hideEdgesOnMove: part.nodes.length > 600,
    },
    nodeReducer: (name, data) => {
      const dot = data as unknown as Dot
      return {
        ...data,
        color: near(name) ? (name === chosen ? colours.accent : dot.color) : colours.line,
        label: near(name) ? dot.label : '',
        labelColor: colours.ink,
        size: name === chosen ? dot.size * 1.4 : dot.size,
      } as never
    },
    edgeReducer: (edge, data) => {
      const touches = chosen === null || graph.hasExtremity(edge, chosen)
      return {
        ...data,
        color: touches && chosen !== null ? colours.accent : colours.line,
        hidden: !touches,
      } as never
    },
  })
  sigma.on('clickNode', ({ node }) => {
    click(node)
  })
  return steered(sigma, (name) => {
    chosen = name !== null && graph.hasNode(name) ? name : null
    sigma.refresh()
    return chosen
  })
}

/** `choose` gives the name where the map holds it. */
function steered(sigma: Sigma, choose: (name: string | null) => string | null): NameMap {
  const camera = sigma.getCamera()
  return {
    select: (name) => {
      const chosen = choose(name),
        at = chosen === null ? undefined : sigma.getNodeDisplayData(chosen)
      if (at) void camera.animate({ x: at.x, y: at.y, ratio: 0.4 }, { duration: still() ? 0 : 300 })
    },
    zoom: (factor) => {
      void camera.animate({ ratio: camera.ratio / factor }, { duration: still() ? 0 : 150 })
    },
    whole: () => {
      void camera.animate({ x: 0.5, y: 0.5, ratio: 1 }, { duration: still() ? 0 : 200 })
    },
    kill: () => {
      sigma.kill()
    },
  }
}

/** Radius in pixels of a name without ties. */
const SMALLEST = 1.6

function still(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

function graphOf(part: GraphPart, placed: readonly Placed[], colours: MapColours): Graph {
  const graph = new Graph({ type: 'undirected', multi: false })
  placed.forEach(({ name, x, y, area }, i) => {
    const { label } = part.nodes[i]!
    graph.addNode(name, {
      x,
      y,
      label,
      size: SMALLEST,
      color: colours.areas[area % colours.areas.length]!,
    } satisfies Dot)
  })
  const heaviest = Math.max(1, ...part.edges.map(({ weight }) => weight))
  for (const { source, target, weight } of part.edges)
    if (source !== target && graph.hasNode(source) && graph.hasNode(target))
      graph.mergeEdge(source, target, { size: 0.6 + 2 * (weight / heaviest), color: colours.line })
  const most = Math.max(1, ...graph.mapNodes((name) => graph.degree(name)))
  graph.updateEachNodeAttributes((name, dot) => ({
    ...dot,
    size: SMALLEST + 7 * Math.sqrt(graph.degree(name) / most),
  }))
  return graph
}
