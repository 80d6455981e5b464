/**
 * A robot of any make in Node, written from the documents alone (robot-protocol.md, robot-bus.md, robot-local-api.md).
 * It has one map, and cleans what its tasks outline on it. Nothing but Node 20 and the stock `ssh` and `ssh-keygen` are needed.
 *
 *     node robot.mjs http://127.0.0.1:8080 CODE SERIAL "Scrub 50"     a robot of the fleet
 *     node robot.mjs --local 8000                                     its local API alone, for `lustra robot check`
 *
 * CODE is made in the console (Device list, Auth code); what the server answers is kept in SERIAL.json.
 */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'

const SPEED = 0.3 // m/s
const STEP_S = 0.1
const AT_REST_S = 1
const LARGEST = 1024 * 1024 // bytes of a body
const LANE = 0.5 // m between two lanes of a run, as wide as its brush

// Its only map: a hall of 12 by 8 m with its charger in a corner. A real robot has drawn its own.
const CORNERS = [[0, 0], [12, 0], [12, 8], [0, 8]]
const FRAME = { width: 240, height: 160, resolution: 0.05 } // cells, cells, m
const HALL = { name: 'Hall', building: '', floor: '', revision: 1, ...FRAME }
const DOCK = { name: 'Dock', type: 'charging', x: 0.5, y: 0.5, yaw: 0 }
const PLAIN = { hard_floor: true, path: '', clean_mode: 'clean', task_mode: 'normal', route: 'bow', speed: 'middle' }

const pose = { x: DOCK.x, y: DOCK.y, yaw: DOCK.yaw }
let way = [] // what is left of it: points
let task = null // that runs
let run = ''
let planned = 0 // m of its way
let paused = false
let stopped = false
let newest = 0 // control lock
let watchedUntil = 0
let lastAt = 0
let seq = 0
const stream = randomBytes(4).toString('hex')

/** Its clock in ms, never the same twice. */
const clock = () => {
  lastAt = Math.max(Date.now(), lastAt + 1)
  return lastAt
}

let alarms = []
let snapshot

/** Says all that is wrong, again and again until the server has kept it: `raised` and `cleared` are not needed then. */
function takeStock() {
  snapshot = { v: 1, at: clock(), id: randomBytes(8).toString('hex'), kind: 'snapshot', alarms }
}
takeStock()

function setStopped(on) {
  if (on === stopped) return
  stopped = on
  alarms = on ? [{ id: randomBytes(8).toString('hex'), code: 'emergency_stop', since: clock() }] : []
  takeStock()
}

function step() {
  if (!way.length || stopped || paused) return
  const [dx, dy] = [way[0][0] - pose.x, way[0][1] - pose.y]
  const distance = Math.hypot(dx, dy)
  const part = distance > SPEED * STEP_S ? (SPEED * STEP_S) / distance : 1
  if (distance > 0) pose.yaw = Math.atan2(dy, dx)
  pose.x += dx * part
  pose.y += dy * part
  if (part === 1) way = way.slice(1)
  if (!way.length) task = null
}

function mode() {
  if (stopped || paused) return stopped ? 'emergency' : 'paused'
  if (!way.length) return 'idle'
  return task ? 'cleaning' : 'moving'
}

function progress() {
  const left = length([[pose.x, pose.y], ...way])
  return task && planned > 0 ? Math.round(Math.max(0, 1000 * (1 - left / planned))) / 10 : 0
}

const state = () => ({
  ...{ v: 1, at: clock(), stream, seq: ++seq, mode: mode(), ...pose },
  ...{ battery: 80, speed: ['moving', 'cleaning'].includes(mode()) ? SPEED : 0 },
  ...(task && { task: task.name, run, progress: progress() }),
})

// Areas and the way over them

const edgesOf = (corners) => corners.map((corner, place) => [corner, corners[(place + 1) % corners.length]])
const areaOf = (corners) => Math.abs(edgesOf(corners).reduce((sum, [a, b]) => sum + a[0] * b[1] - b[0] * a[1], 0)) / 2
const length = (points) =>
  points.slice(1).reduce((sum, [x, y], place) => sum + Math.hypot(x - points[place][0], y - points[place][1]), 0)

/** A lane each LANE metres, to and fro. */
function lanes(corners) {
  const heights = corners.map(([, y]) => y)
  const low = Math.min(...heights)
  const points = []
  for (let row = 0; row < Math.floor((Math.max(...heights) - low) / LANE); row++) {
    const y = low + (row + 0.5) * LANE
    const crossings = edgesOf(corners)
      .filter(([a, b]) => a[1] > y !== b[1] > y)
      .map(([a, b]) => a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0]))
      .sort((a, b) => a - b)
    points.push(...(row % 2 ? crossings.reverse() : crossings).map((x) => [x, y]))
  }
  return points
}

// The local API

const refusal = (code, reason, msg, field) => ({ code, msg, reason, ...(field && { field }) })
const lost = () => refusal(423, 'control_lost', 'Somebody else has taken control')
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value)
const isPoint = (point) => Array.isArray(point) && point.length === 2 && point.every(isNumber)
const isArea = (points) => Array.isArray(points) && points.length > 2 && points.every(isPoint)
const noTask = () => refusal(404, 'task_unknown', 'The robot does not have this task', 'name')
const tasks = new Map()

/** What ran is over. */
function sendTo(points) {
  ;[task, paused, way] = [null, false, points]
  return {}
}

function addTask({ name, areas }) {
  if (typeof name !== 'string' || !name.trim())
    return refusal(400, 'task_name_required', 'Enter a task name', 'name')
  const corners = areas?.[0]?.points
  if (!isArea(corners)) return refusal(400, 'task_area_required', "Draw the task's area first", 'areas')
  const revision = (tasks.get(name)?.revision ?? 0) + 1
  const found = { reachable: areaOf(corners), seconds: length(lanes(corners)) / SPEED }
  const drawn = { name, map_name: HALL.name, areas: [{ points: corners }], start: corners[0] }
  tasks.set(name, { ...PLAIN, ...drawn, ...found, revision, picture: '' })
  return { ...found, revision }
}
addTask({ name: 'Whole hall', areas: [{ points: CORNERS }] })

function startTask({ name }) {
  const chosen = tasks.get(name)
  if (!chosen) return noTask()
  if (task) return refusal(409, 'task_running', 'A task is running')
  sendTo(lanes(chosen.areas[0].points))
  ;[task, run] = [chosen, randomBytes(8).toString('hex')]
  planned = length([[pose.x, pose.y], ...way])
  return { run }
}

function forecast({ area }) {
  if (!isArea(area)) return refusal(400, 'task_area_required', "Draw the task's area first", 'area')
  const path = lanes(area)
  const found = { area: areaOf(area), reachable: areaOf(area), length: length(path), seconds: length(path) / SPEED }
  return { ...found, path, battery: 5, liquid: 0, speed: SPEED }
}

function stop({ robot_safe }, number) {
  if (robot_safe !== 0 && robot_safe !== 1) return refusal(400, 'input_wrong', 'robot_safe is 0 or 1', 'robot_safe')
  if (robot_safe === 0 && number < newest) return lost()
  setStopped(robot_safe === 1)
  return {}
}

function drive(payload) {
  for (const field of ['x', 'y'])
    if (!isNumber(payload[field])) return refusal(400, 'input_missing', 'x and y are numbers', field)
  return sendTo([[payload.x, payload.y]])
}

function loadMap({ name }) {
  if (name !== HALL.name) return refusal(404, 'map_unknown', 'The robot does not have this map', 'name')
  return { ...sendTo([]), map_name: name }
}

function taskState() {
  const runs = { name: task?.name ?? '', run: task ? run : '', progress: progress() }
  return { ...runs, state: mode(), follows: [], group: '', schedule: '' }
}

/** Its lidar: a ray each five degrees, straight ahead first, to the walls of its hall. */
function scan() {
  const turn = Math.PI / 36
  const [right, top] = CORNERS[2]
  const far = (wall, at, way) => (Math.abs(way) > 1e-9 ? (wall - at) / way : Infinity)
  const ranges = Array.from({ length: 72 }, (_, n) => {
    const [dx, dy] = [Math.cos(pose.yaw + n * turn), Math.sin(pose.yaw + n * turn)]
    return Math.min(far(dx > 0 ? right : 0, pose.x, dx), far(dy > 0 ? top : 0, pose.y, dy))
  })
  return { angle_min: 0, angle_increment: turn, scan_time: STEP_S, ranges }
}

const noSchedules = () => ({ timetask_info: [], zone: 'UTC', now: Date.now() })
/** What it has none of: it answers so, and does not name these among its commands. */
const NONE_OF = {
  check_update: () => ({ version: '1.0', hasUpdate: false }),
  utils_state: () => ({ list: [] }),
  disinfect_state: () => ({ running: false, speed_Value: 0, liquid: 0, liquid_ml: 0, area: 0 }),
  dir_path_list: () => ({ paths: [], list: [] }),
  taskgroup_list: () => ({ list: [] }),
  timetask_list: noSchedules,
  elevator_timetask_list: noSchedules,
  elevator_point_list: () => ({ list: [] }),
}
const READS = {
  robot_pose: () => ({ ...pose, map_name: HALL.name, uncertainty: 0.05, confirmed: true }),
  sensor_info_web: () => ({ list: [{ id: 'battery', value: 80, unit: '%', ok: true }] }),
  hardware_state: () => ({ list: [{ name: 'motors', state: 'ok' }] }),
  radar_info: () => ({ points: CORNERS }),
  radar_info_raw: scan,
  robot_params_get: () => ({ params: { speed: SPEED }, ranges: {} }),
  map_list: () => ({ list: [HALL] }),
  map_name: () => ({ map_name: HALL.name }),
  task_state: taskState,
  task_list: () => ({ task_list: [...tasks.values()] }),
  task_info: () => ({ task_info: [...tasks.values()] }),
  all_tasksingle_list: () => ({ list: [...tasks.values()] }),
  task_all_map: () => ({ list: [{ map_name: HALL.name, task_list: [...tasks.values()] }] }),
}
const READS_OF_A_MAP = {
  map_info: () => ({ ...HALL, origin: [0, 0, 0] }),
  map_flag_list: () => ({ list: [DOCK] }),
  virlines_info: () => ({ virlines_wall: [], free_area: [], forbidden_zone: [], revision: 1 }),
}
/** Only for who shows the newest control lock. */
const MOVES = {
  point_moveto: drive,
  task_start: startTask,
  task_resume: () => ((paused = false), {}),
  docker_back: () => sendTo([[DOCK.x, DOCK.y]]),
  map_load: loadMap,
}
/** Whoever holds control: who ends something never waits. */
const OTHERS = {
  robot_safe: stop,
  task_pause: () => ((paused = way.length > 0), {}),
  task_cancel: () => (task ? sendTo([]) : refusal(409, 'task_none_running', 'No task is running')),
  task_add: addTask,
  task_del: ({ name }) => (tasks.delete(name) ? {} : noTask()),
  clean_area_pre: forecast,
}
const COMMANDS = Object.keys({ ...READS, ...READS_OF_A_MAP, ...MOVES, ...OTHERS })
const KNOWN = { ...READS, ...READS_OF_A_MAP, ...MOVES, ...OTHERS, ...NONE_OF }
const API2 = ['check_update', 'map_list', 'map_name', 'map_load', ...Object.keys(READS_OF_A_MAP)] // prefix of what is of maps

function answer(name, payload, number) {
  if (!Object.hasOwn(KNOWN, name)) return refusal(404, 'command_unknown', 'The robot does not know this command')
  if (name in MOVES && number < newest) return lost()
  if (name in READS_OF_A_MAP && ![undefined, '', HALL.name].includes(payload.map_name))
    return refusal(404, 'map_unknown', 'The robot does not have this map', 'map_name')
  return KNOWN[name](payload, number)
}

function bodyOf(request) {
  return new Promise((resolve) => {
    const parts = []
    let size = 0
    request.on('data', (part) => {
      size += part.length
      if (size <= LARGEST) parts.push(part)
    })
    request.on('end', () => resolve(size > LARGEST ? null : Buffer.concat(parts).toString('utf8')))
  })
}

async function respond(request) {
  const url = new URL(request.url, 'http://robot')
  const known = /^\/(api1|api2)\/(\w+)$/.exec(url.pathname)
  const text = await bodyOf(request)
  if (text === null) return refusal(413, 'input_too_large', 'The body is too large')
  if (!known || (known[1] === 'api2') !== API2.includes(known[2])) return answer('', {}, 0)
  const number = Number(request.headers.control ?? 0) || 0
  newest = Math.max(newest, number)
  try {
    const payload = request.method === 'GET' ? Object.fromEntries(url.searchParams) : JSON.parse(text || '{}')
    if (payload?.constructor !== Object) throw new TypeError('no object')
    return answer(known[2], payload, number)
  } catch {
    return refusal(400, 'input_not_json', 'The body is no JSON')
  }
}

/** Answers its port. */
function localApi(port) {
  const server = createServer(async (request, response) => {
    const content = JSON.stringify({ code: 0, msg: '', ...(await respond(request)) })
    response.writeHead(200, { 'content-type': 'application/json' }).end(content)
  })
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server.address().port)))
}

// Let in

async function enrol(server, code, serial, typeName) {
  const [file, key] = [`${serial}.json`, `${serial}.key`]
  if (!existsSync(file)) {
    if (!existsSync(key)) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key])
    const sshKey = readFileSync(`${key}.pub`, 'utf8').trim()
    const payload = { code, deviceSerialNumber: serial, sshKey, typeName, protocolVersion: 3, commands: COMMANDS }
    const response = await fetch(`${server}/api/device/enrol`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    })
    const { message, data } = await response.json()
    if (message.code) throw new Error(message.message)
    writeFileSync(file, JSON.stringify(data), { mode: 0o600 })
  }
  return { ...JSON.parse(readFileSync(file, 'utf8')), key }
}

// The bus: NATS in a few lines

function bus(own) {
  const { hostname, port } = new URL(own.nats)
  const subject = `robots.${own.deviceSerialNumber.replaceAll('.', '~')}`
  const link = connect({ host: hostname, port: Number(port) })
  let waiting = Buffer.alloc(0)
  let saidAt = 0
  const say = (to, content) => {
    const data = Buffer.from(JSON.stringify(content))
    link.write(Buffer.concat([Buffer.from(`PUB ${to} ${data.length}\r\n`), data, Buffer.from('\r\n')]))
  }
  const obey = (name, content) => {
    if (name === 'watch') watchedUntil = Date.now() + content.seconds * 1000
    if (name === 'control') newest = Math.max(newest, content.number)
    if (name === 'kept' && content.ids.includes(snapshot?.id)) snapshot = undefined
    if (name === 'refused') console.error('refused:', JSON.stringify(content))
  }
  link.on('connect', () => {
    const log = { user: own.deviceSerialNumber, pass: own.busPassword, verbose: false, pedantic: false, protocol: 1 }
    link.write(`CONNECT ${JSON.stringify(log)}\r\nSUB ${subject}.cmd.> 1\r\nPING\r\n`)
  })
  link.on('data', (part) => {
    waiting = Buffer.concat([waiting, part])
    for (let end = waiting.indexOf('\r\n'); end >= 0; end = waiting.indexOf('\r\n')) {
      const [word, to, , ...rest] = waiting.subarray(0, end).toString().split(' ')
      let next = end + 2
      if (word === 'MSG') {
        const size = Number(rest.at(-1))
        if (waiting.length < next + size + 2) return
        obey(to.split('.').at(-1), JSON.parse(waiting.subarray(next, next + size).toString() || '{}'))
        if (rest.length > 1) say(rest[0], { code: 0, msg: '' })
        next += size + 2
      } else if (word === 'PING') link.write('PONG\r\n')
      else if (word === '-ERR') console.error('bus:', to)
      waiting = waiting.subarray(next)
    }
  })
  const timer = setInterval(() => {
    step()
    const period = Date.now() < watchedUntil ? STEP_S : AT_REST_S
    if (Date.now() - saidAt < period * 1000 || link.connecting) return
    saidAt = Date.now()
    say(`${subject}.state`, state())
    if (snapshot) say(`${subject}.alarm`, snapshot)
  }, STEP_S * 1000)
  link.on('error', (why) => console.error('bus:', why.message))
  link.on('close', () => {
    clearInterval(timer)
    setTimeout(() => bus(own), 1000)
  })
}

// The tunnel: the stock client, to one relay after the other

function tunnel(own, local, turn = 0) {
  const { host, port } = own.relays[turn % own.relays.length]
  const hosts = `${own.deviceSerialNumber}.hosts`
  writeFileSync(hosts, `[${host}]:${port} ${own.hostKey}\n`)
  const options = {
    ...{ ExitOnForwardFailure: 'yes', ServerAliveInterval: 5, ServerAliveCountMax: 3, ConnectTimeout: 4 },
    ...{ UserKnownHostsFile: hosts, StrictHostKeyChecking: 'yes', BatchMode: 'yes', IdentitiesOnly: 'yes' },
    Ciphers: 'aes128-gcm@openssh.com,aes128-ctr',
  }
  const words = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const forward = `127.0.0.1:${own.port}:127.0.0.1:${local}`
  const to = `${own.deviceSerialNumber}@${host}`
  const ssh = spawn('ssh', ['-F', '/dev/null', '-N', '-T', '-R', forward, '-i', own.key, '-p', port, ...words, to])
  ssh.stderr.pipe(process.stderr)
  process.once('exit', () => ssh.kill())
  ssh.on('close', () => setTimeout(() => tunnel(own, local, turn + 1), 1000))
}

const [first, ...rest] = process.argv.slice(2)
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0))
if (first === '--local') {
  console.log(await localApi(Number(rest[0])))
  setInterval(step, STEP_S * 1000)
} else {
  const own = await enrol(first, ...rest)
  tunnel(own, await localApi(0))
  bus(own)
}
