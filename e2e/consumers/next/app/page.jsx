'use client'

import { createEngine, estimateTokens } from 'hubmesh'
import { useEffect, useRef } from 'react'
import { films } from '../films.js'

export default function Page() {
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void films(() => createEngine({ corpus: 'films', model: '/models/all-MiniLM-L6-v2/' }))
  }, [])
  // Rendered on the server as well: the package is imported there.
  return <p id="server">{estimateTokens('Rendered by the server.')} tokens</p>
}
