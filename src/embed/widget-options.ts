export type { WidgetOptions } from '../widget/index.ts';
