#!/usr/bin/env node
// @ts-check
// The command line in a clone: bundles what has changed, then runs it. A packed command line is the bundle itself.
import { bundleFromSources } from '../service/bundle.mjs';
import { bundleAll } from './bundle.mjs';

const program = './dist/reliability.js';
if (await bundleFromSources(bundleAll)) await import(program);
