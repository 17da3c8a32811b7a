// What libraries of 2008 did to the language, and pages still do.
Array.prototype.each = function (act) {
  for (let i = 0; i < this.length; i++) act(this[i], i);
  return this;
};
Array.prototype.toJSON = function () {
  const parts = [];
  this.each((one) => {
    parts.push(JSON.stringify(one));
  });
  return `[${parts.join(', ')}]`;
};
Array.prototype.remove = function (one) {
  this.splice(this.indexOf(one), 1);
};
Function.prototype.bind = function (context, ...given) {
  return (...values) => this.apply(context, given.concat(values));
};
String.prototype.strip = function () {
  return this.replace(/^\s+|\s+$/g, '');
};
Element.prototype.remove = function () {
  if (this.parentNode) this.parentNode.removeChild(this);
};
Date.prototype.toJSON = function () {
  return `Date(${this.getTime()})`;
};
window.$ = (id) => document.getElementById(id);
