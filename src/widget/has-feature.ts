import type { Feature, WidgetOptions } from './options.ts';

/** Returns true if the site has enabled a feature that is off by default. */
export const hasFeature = ({ features }: WidgetOptions, feature: Feature): boolean =>
  `${features ?? ''}`.split(/[\s,]+/).includes(feature);
