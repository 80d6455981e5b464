/**
 * A robot of any make in Node, written from the documents alone (robot-protocol.md, robot-bus.md, robot-local-api.md).
 * Nothing but Node 20 and the stock `ssh` and `ssh-keygen` are needed.
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
const COMMANDS = ['robot_pose', 'robot_safe', 'point_moveto', 'task_state', 'map_list', 'map_name', 'task_list']

const pose = { x: 0, y: 0, yaw: 0 }
let goal = null
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
  if (!goal || stopped) return
  const [dx, dy] = [goal.x - pose.x, goal.y - pose.y]
  const distance = Math.hypot(dx, dy)
  const part = distance > SPEED * STEP_S ? (SPEED * STEP_S) / distance : 1
  if (distance > 0) pose.yaw = Math.atan2(dy, dx)
  pose.x += dx * part
  pose.y += dy * part
  if (part === 1) goal = null
}

const mode = () => (stopped ? 'emergency' : goal ? 'moving' : 'idle')

const state = () => ({
  ...{ v: 1, at: clock(), stream, seq: ++seq, mode: mode(), ...pose },
  ...{ battery: 80, speed: mode() === 'moving' ? SPEED : 0 },
})

// The local API

const refusal = (code, reason, msg, field) => ({ code, msg, reason, ...(field && { field }) })
const lost = () => refusal(423, 'control_lost', 'Somebody else has taken control')
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value)
const STANDING = { name: '', run: '', progress: 0, follows: [], group: '', schedule: '' }

function answer(name, payload, number) {
  switch (name) {
    case 'robot_pose':
      return { ...pose, map_name: '', uncertainty: 0.05, confirmed: true }
    case 'robot_safe':
      if (payload.robot_safe !== 0 && payload.robot_safe !== 1)
        return refusal(400, 'input_wrong', 'robot_safe is 0 or 1', 'robot_safe')
      if (payload.robot_safe === 0 && number < newest) return lost()
      setStopped(payload.robot_safe === 1)
      return {}
    case 'point_moveto':
      if (number < newest) return lost()
      for (const field of ['x', 'y'])
        if (!isNumber(payload[field])) return refusal(400, 'input_missing', 'x and y are numbers', field)
      goal = { x: payload.x, y: payload.y }
      return {}
    case 'task_state':
      return { ...STANDING, state: mode() === 'moving' ? 'moving' : 'idle' }
    case 'map_list':
      return { list: [] }
    case 'map_name':
      return { map_name: '' }
    case 'task_list':
      return { task_list: [] }
    default:
      return refusal(404, 'command_unknown', 'The robot does not know this command')
  }
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
  const isOfMaps = known?.[2].startsWith('map_')
  if (!known || (known[1] === 'api2') !== isOfMaps) return answer('', {}, 0)
  const number = Number(request.headers.control ?? 0) || 0
  newest = Math.max(newest, number)
  try {
    const payload = request.method === 'GET' ? Object.fromEntries(url.searchParams) : JSON.parse(text || '{}')
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
