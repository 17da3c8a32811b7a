// Paths in a square of 24 by 24.
export const CLIP =
  'M20 11.5l-8.2 8.2a5.2 5.2 0 01-7.4-7.4l8.6-8.6a3.5 3.5 0 015 5l-8.6 8.5a1.8 1.8 0 01-2.5-2.5l7.9-7.8';
export const PAPER = 'M7 3.5h7l4.5 4.5v12.5H7zM13.5 4v4.5H18M10 13h5.5m-5.5 3.5h5.5';
export const RETRY = 'M19.5 12a7.5 7.5 0 11-2.2-5.3L19.5 9M19.5 4.5V9H15';
export const MICROPHONE =
  'M12 3.5a3 3 0 00-3 3v5a3 3 0 006 0v-5a3 3 0 00-3-3zM5.5 11.5a6.5 6.5 0 0013 0M12 18v3';
export const SMILE = 'M12 3.5a8.5 8.5 0 10.01 0zM8.5 14a4.2 4.2 0 007 0M9 9.5v.01m6-.01v.01';
