export type { WidgetChanges, WidgetOptions } from '../widget/index.ts';
