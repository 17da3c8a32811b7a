export type { ProactiveRule, WidgetChanges, WidgetOptions } from '../widget/index.ts';
