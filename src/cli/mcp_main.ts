#!/usr/bin/env node
/** The command `hubmesh-mcp`, which is `hubmesh mcp`: for clients that take a command without words. */
import { runProcess } from './process.ts'

void runProcess(['mcp', ...process.argv.slice(2)])
