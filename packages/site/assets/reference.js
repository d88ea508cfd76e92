// The search box of /reference. Without JavaScript, the page is a list of links.
const contents = document.querySelector('.contents');
const box = document.createElement('input');
box.type = 'search';
box.placeholder = 'Search types and fields';
box.setAttribute('aria-label', box.placeholder);
const items = [...contents.querySelectorAll('li')].map((item) => {
  const [name, ...fields] = item.dataset.names.split(' ');
  const link = item.querySelector('a');
  return { item, link, href: link.getAttribute('href'), name, fields };
});
const search = () => {
  const text = box.value.trim().toLowerCase();
  for (const { item, link, href, name, fields } of items) {
    // A search such as `Verse.text` names the type too.
    const field = text && fields.find((each) => `${name}.${each}`.toLowerCase().includes(text));
    const found = name.toLowerCase().includes(text);
    item.hidden = !found && !field;
    const target = found ? undefined : field;
    link.textContent = target ? `${name}.${target}` : name;
    link.setAttribute('href', target ? `${href}#${name}.${target}` : href);
  }
  for (const section of contents.querySelectorAll('section'))
    section.hidden = !section.querySelector('li:not([hidden])');
};
box.addEventListener('input', search);
contents.prepend(box);
