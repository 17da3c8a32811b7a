import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEmitter } from './widget-events.ts';

const reported: unknown[] = [];
const onError = (event: ErrorEvent): void => {
  event.preventDefault();
  event.stopImmediatePropagation();
  reported.push(event.error);
};
beforeEach(() => {
  reported.length = 0;
  window.addEventListener('error', onError, { capture: true });
});
afterEach(() => {
  window.removeEventListener('error', onError, { capture: true });
});

it('dispatches events on the element too, but not above it', () => {
  const element = document.createElement('div');
  const parent = document.createElement('div');
  parent.append(element);
  const got: unknown[] = [];
  element.addEventListener('unread', (event) => got.push((event as CustomEvent).detail));
  parent.addEventListener('unread', () => got.push('above'));
  const emitter = createEmitter(element);
  emitter.on('open', (value) => got.push(value));
  emitter.emit('unread', { count: 1 });
  emitter.emit('open', undefined);
  expect(got).toEqual([{ count: 1 }, undefined]);
});

it('passes the value to the handlers of that event only', () => {
  const emitter = createEmitter(new EventTarget());
  const got: unknown[] = [];
  emitter.on('unread', (value) => got.push(value));
  emitter.on('open', () => got.push('open'));
  emitter.emit('unread', { count: 3 });
  expect(got).toEqual([{ count: 3 }]);
});

it('calls the other handlers after one throws, and reports the error', () => {
  const emitter = createEmitter(new EventTarget());
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

it('removes a handler and no other, even while an event is emitted', () => {
  const emitter = createEmitter(new EventTarget());
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

it('keeps no handler after clear', () => {
  const emitter = createEmitter(new EventTarget());
  const got: string[] = [];
  emitter.on('open', () => got.push('open'));
  emitter.clear();
  emitter.emit('open', undefined);
  expect(got).toEqual([]);
});

it('calls a handler of `once` for the next event only, and not at all if it was removed', () => {
  const emitter = createEmitter(document.createElement('div'));
  const got: unknown[] = [];
  emitter.once('unread', (value) => got.push(value));
  const stop = emitter.once('open', () => got.push('open'));
  stop();
  emitter.once('close', () => got.push('close'));
  emitter.emit('unread', { count: 1 });
  emitter.emit('unread', { count: 2 });
  emitter.emit('open', undefined);
  emitter.clear();
  emitter.emit('close', undefined);
  expect(got).toEqual([{ count: 1 }]);
});
