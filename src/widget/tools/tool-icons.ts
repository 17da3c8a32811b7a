// Paths in a square of 24 by 24.
export const CLIP =
  'M20 11.5l-8.2 8.2a5.2 5.2 0 01-7.4-7.4l8.6-8.6a3.5 3.5 0 015 5l-8.6 8.5a1.8 1.8 0 01-2.5-2.5l7.9-7.8';
export const PAPER = 'M7 3.5h7l4.5 4.5v12.5H7zM13.5 4v4.5H18M10 13h5.5m-5.5 3.5h5.5';
export const RETRY = 'M19.5 12a7.5 7.5 0 11-2.200-5.300L19.5 9M19.5 4.5V9H15';
