// What the robot says that it shows, twice a second; touches go back to it. All words are written as text, never as markup.
const EVERY_MS = 500
const USUAL = '#017465'
const TILES = [
  ['task', 'M4 4h16v16H4zM8 12l3 3 6-6'],
  ['map', 'M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2zM9 4v14M15 6v14'],
  ['report', 'M6 3h9l4 4v14H6zM9 12h7M9 16h7'],
  ['alarms', 'M12 4l9 16H3zM12 10v5M12 17v1'],
  ['charge', 'M13 2L5 14h6l-1 8 8-12h-6z'],
  ['about', 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 11v6M12 7v1'],
]
const byId = (id) => document.getElementById(id)
const texts = await (await fetch('/tablet/texts.json')).json()
let language = ''
let drawn = ''
let last = {}

const word = (key) => texts[language][key] ?? key

function choose(wished) {
  const known = [wished, ...navigator.languages].map((each) =>
    Object.keys(texts).find((name) => each && (name === each || name.split('-')[0] === each.split('-')[0])),
  )
  language = known.find(Boolean) ?? 'en'
  document.documentElement.lang = language
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
}

function make(tag, fields = {}, ...children) {
  const element = Object.assign(document.createElement(tag), fields)
  element.append(...children)
  return element
}

const picture = (name) => make('img', { src: `/tablet/picture/${name}`, alt: '' })
const time = (ms) => new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' }).format(ms)
const button = (key, onclick, more = {}) => make('button', { textContent: word(key), onclick, ...more })

function symbol(path) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  for (const [name, value] of Object.entries({
    viewBox: '-6 -6 36 36',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '1.5',
  })) {
    svg.setAttribute(name, value)
  }
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}

async function touch(what) {
  const problem = byId('problem')
  try {
    const answer = await (await fetch('/tablet/touch', { method: 'POST', body: JSON.stringify(what) })).json()
    problem.textContent = answer.code ? `${word('refused')}: ${texts[language][answer.reason] ?? answer.msg}` : ''
  } catch {
    problem.textContent = word('silent')
  }
  problem.hidden = !problem.textContent
  await look()
}

const open = (page) => touch({ page })

function home(screen) {
  const tiles = TILES.map(([page, path], place) => {
    const name = screen.home_tiles[place]
    const act = () => (page === 'charge' ? touch({ page: 'home', order: 'charge' }) : open(page))
    return make(
      'button',
      { className: 'tile', onclick: act },
      name ? picture(name) : symbol(path),
      make('span', { textContent: word(page) }),
    )
  })
  return make('div', { className: 'tiles' }, ...tiles)
}

const list = (rows) => make('ul', { className: 'list' }, ...rows.map((row) => make('li', {}, ...row)))
const words = (text, dir = 'auto') => make('span', { textContent: text, dir })
const none = (key) => make('p', { className: 'none', textContent: word(key) })

const PAGES = {
  home,
  task: ({ tasks, task }) =>
    tasks.length
      ? list(
          tasks.map((name) => [
            words(name),
            button('start', () => touch({ page: 'task', order: 'start', task: name }), { disabled: Boolean(task) }),
          ]),
        )
      : none('no-task'),
  map: () => make('div', { className: 'map', id: 'map' }),
  report: ({ report }) =>
    report
      ? list([
          [words(report.task), words(word(`end-${report.end}`))],
          [words(word('cleaned')), words(`${Math.round(report.cleaned)} m²`, 'ltr')],
          [words(word('ended')), words(time(report.ended))],
        ])
      : none('no-report'),
  alarms: ({ alarms }) =>
    alarms.length ? list(alarms.map(({ code, since }) => [words(code, 'ltr'), words(time(since))])) : none('no-alarm'),
  about: ({ about_us }) =>
    about_us ? make('p', { className: 'words', dir: 'auto', textContent: about_us }) : none('no-about'),
}

function overlay(screen) {
  const { shows, text } = screen
  if (text) {
    return make(
      'article',
      {},
      ...(text.title ? [make('h2', { textContent: text.title, dir: 'auto' })] : []),
      make('p', { textContent: text.text, lang: text.language, dir: 'auto' }),
      button('close', () => open('home')),
    )
  }
  if (shows === 'advert') {
    const { kind, file } = screen.advert
    const src = `/tablet/advert/${file}`
    const over = kind.startsWith('video/') ? make('video', { src, muted: true, autoplay: true }) : make('img', { src, alt: '' })
    return Object.assign(over, { onclick: () => open('home') })
  }
  const name = { boot: screen.boot_animation, rest: screen.idle_animation }[shows]
  return name ? Object.assign(picture(name), { onclick: () => open('home') }) : null
}

function draw(screen) {
  choose(screen.language)
  document.documentElement.style.setProperty('--theme', screen.theme_color || USUAL)
  const page = screen.shows in PAGES ? screen.shows : 'home'
  byId('title').textContent = page === 'home' ? screen.name : word(page)
  document.title = screen.name
  byId('home').hidden = page === 'home'
  byId('home').textContent = word('home')
  byId('logo').hidden = !screen.main_logo
  if (screen.main_logo) byId('logo').src = `/tablet/picture/${screen.main_logo}`
  byId('mode').textContent = word(`mode-${screen.mode}`)
  byId('language').setAttribute('aria-label', word('language'))
  byId('language').value = language
  byId('main').replaceChildren(PAGES[page](screen))
  const over = overlay(screen)
  byId('over').hidden = !over
  byId('over').replaceChildren(...(over ? [over] : []))
}

async function drawMap() {
  const place = byId('map')
  if (!place) return
  const { url, x, y, ratio } = await (await fetch('/tablet/map')).json()
  if (!url) {
    place.replaceChildren(none('no-map'))
    return
  }
  const here = make('i', { title: word('robot') })
  here.style.left = `${x * 100}%`
  here.style.top = `${y * 100}%`
  place.style.setProperty('--ratio', ratio)
  place.replaceChildren(make('img', { src: url, alt: word('map') }), here)
}

async function look() {
  try {
    last = await (await fetch('/tablet/screen')).json()
  } catch {
    byId('problem').textContent = texts[language || 'en'].silent
    byId('problem').hidden = false
    return
  }
  const { at: _, battery, progress, ...shown } = last
  if (JSON.stringify(shown) !== drawn) {
    drawn = JSON.stringify(shown)
    draw(last)
  }
  byId('battery').textContent = `${word('battery')} ${Math.round(battery)} %`
  byId('work').hidden = !last.task
  byId('task').textContent = last.task
  byId('progress').value = progress
  byId('progress').setAttribute('aria-label', word('progress'))
  byId('pause').textContent = word(last.mode === 'paused' ? 'resume' : 'pause')
  byId('end').textContent = word('end')
  await drawMap()
}

byId('home').onclick = () => open('home')
byId('pause').onclick = () => touch({ order: last.mode === 'paused' ? 'resume' : 'pause' })
byId('end').onclick = () => touch({ order: 'end' })
for (const [name, { itself }] of Object.entries(texts)) {
  byId('language').append(make('option', { value: name, textContent: itself }))
}
byId('language').onchange = ({ target }) => touch({ language: target.value })

for (;;) {
  await look()
  await new Promise((resume) => setTimeout(resume, EVERY_MS))
}
