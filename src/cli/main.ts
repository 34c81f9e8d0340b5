#!/usr/bin/env node
/** The command `hubmesh`. */
import { runProcess } from './process.ts'

void runProcess(process.argv.slice(2))
