const sections = document.querySelector('#sections');
for (let number = 1; number <= 300; number += 1) {
  const section = document.createElement('main');
  const title = document.createElement('h2');
  title.textContent = `Section ${number}`;
  const text = document.createElement('p');
  text.textContent =
    'Oilskins are cut wide at the shoulder, so that there is room for a jersey below. '.repeat(4);
  section.append(title, text);
  sections.append(section);
}
document.querySelector('.top').classList.add('sticky');
