export { type Child, createRef, type VNode } from './node.ts';
export { render } from './render.ts';
export {
  useComputed,
  useMounted,
  useOnce,
  useProvided,
  useSignal,
  useSignalEffect,
  type View,
  view,
} from './view.ts';
