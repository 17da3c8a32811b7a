import type { Feature, WidgetOptions } from './options.ts';

/** True if the site has turned a part on that is off by default. */
export const hasFeature = ({ features }: WidgetOptions, feature: Feature): boolean =>
  `${features ?? ''}`.split(/[\s,]+/).includes(feature);
