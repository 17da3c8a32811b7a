// Business hours. Loaded if the site has set some.
export { ClosedLine } from './closed-line.tsx';
export { default as css } from './hours.css?inline';
export { HoursLine } from './hours-line.tsx';
export { OpeningLine } from './opening-line.tsx';
