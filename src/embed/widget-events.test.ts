import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WidgetEmitter } from './widget-events.ts';

const reported: unknown[] = [];
beforeEach(() => {
  reported.length = 0;
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it('gives the value to the handlers of that event only', () => {
  const emitter = new WidgetEmitter();
  const got: unknown[] = [];
  emitter.on('unread', (value) => got.push(value));
  emitter.on('open', () => got.push('open'));
  emitter.emit('unread', { count: 3 });
  expect(got).toEqual([{ count: 3 }]);
});

it('lets a handler that throws stop nobody, and reports what it threw', () => {
  const emitter = new WidgetEmitter();
  const got: string[] = [];
  const error = new Error('of the page');
  emitter.on('open', () => {
    throw error;
  });
  emitter.on('open', () => got.push('second'));
  emitter.emit('open', undefined);
  expect(got).toEqual(['second']);
  expect(reported).toEqual([error]);
});

it('takes away the handler that was stopped and no other, even while it emits', () => {
  const emitter = new WidgetEmitter();
  const got: string[] = [];
  const stop = emitter.on('open', () => {
    got.push('first');
    stop();
  });
  emitter.on('open', () => got.push('second'));
  emitter.emit('open', undefined);
  emitter.emit('open', undefined);
  expect(got).toEqual(['first', 'second', 'second']);
});

it('keeps nobody after it was cleared', () => {
  const emitter = new WidgetEmitter();
  const got: string[] = [];
  emitter.on('open', () => got.push('open'));
  emitter.clear();
  emitter.emit('open', undefined);
  expect(got).toEqual([]);
});
