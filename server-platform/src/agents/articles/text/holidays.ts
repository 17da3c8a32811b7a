/** Days that are unlike others of the week, such as Easter Monday. */
export const HOLIDAY = /\b(?:good friday|boxing day|easter|whit|holidays?|christmas|new years?)\b/;
