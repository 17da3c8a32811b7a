declare module '*.vue' {
  import type { Component } from 'vue';

  const component: Component<{ endpoint: string }>;
  export default component;
}
