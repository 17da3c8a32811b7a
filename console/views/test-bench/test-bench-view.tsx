import type { VNode } from 'preact';
import { testBenchUrl } from '../../session.ts';
import { TestBench } from './test-bench.tsx';

/** The test bench in the console. */
export function TestBenchView(): VNode {
  return <TestBench demo={testBenchUrl.value} />;
}
