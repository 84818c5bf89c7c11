-- `:Rebut test|stress|shrink|add|debug|show|stop`: the commands of rebut for the file that is shown. See `:h :command`.
-- `require("rebut").setup({ path = "rebut", options = { "--time", "20s" } })`; `options` are those of `rebut stress`.
local M = { config = { path = "rebut", options = {}, compiler = { "g++", "-g", "-O0", "-std=gnu++20" } } }
local SOURCES = { c = true, cc = true, cpp = true, cxx = true, go = true, java = true, js = true, py = true, rs = true }
local VERDICTS = { WA = "wrong answer", TLE = "time limit exceeded", MLE = "memory limit exceeded", RTE = "run-time error",
  OLE = "output limit exceeded", PE = "presentation error", CE = "compile error", JE = "judge error" }
-- Each command receives the file that is shown, its folder and the argument.
local commands, job, submission = {}, nil, nil
local function say(text, level) vim.notify("rebut: " .. text, level or vim.log.levels.INFO) end
local function fail(text) say(text, vim.log.levels.ERROR) end
local function is_source(file) return SOURCES[vim.fn.fnamemodify(file, ":e")] or false end
-- The folder of the package that a file is in, and that of a finding, or nil.
local function package_of(file)
  local found = vim.fn.findfile("problem.yaml", vim.fn.fnamemodify(file, ":p:h") .. ";")
  return found ~= "" and vim.fn.fnamemodify(found, ":p:h") or nil
end
local function finding_of(file)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  return vim.fn.filereadable(folder .. "/finding.json") == 1 and folder or nil
end

local function in_package(arguments, file)
  local package = package_of(file)
  return vim.list_extend(arguments, package and { "--problem", package } or {})
end
local function folder_of(file)
  local finding = finding_of(file)
  return package_of(file) or vim.fn.fnamemodify(finding or file, finding and ":h:h" or ":p:h")
end

-- Runs rebut in a folder. `finish(events, status)` is called at its end, unless it failed; progress is shown meanwhile.
local function run(arguments, folder, finish)
  if job then return fail("a command is running; `:Rebut stop` ends it") end
  local events, rest, errors = {}, "", {}
  local function take(_, lines)
    lines[1] = rest .. lines[1]
    rest = table.remove(lines)
    for _, line in ipairs(lines) do
      local is_json, event = pcall(vim.json.decode, line, { luanil = { object = true } })
      if is_json and event.event ~= "progress" then table.insert(events, event) end
      if is_json and event.cases then vim.api.nvim_echo({ { "rebut: " .. event.cases .. " inputs" } }, false, {}) end
    end
  end
  local command = vim.list_extend(vim.list_extend({ M.config.path }, arguments), { "--json", "-" })
  local function note(_, lines) vim.list_extend(errors, lines) end
  local function conclude(_, status)
    local summary, text = events[#events], table.concat(errors, "\n")
    job = nil
    if status == 130 or (summary and summary.reason == "interrupted") then return say("stopped") end
    if not summary or status > 1 then return fail(text:match("error.*") or text) end
    finish(events, status)
  end
  local callbacks = { cwd = folder, on_stdout = take, on_stderr = note, on_exit = conclude }
  local started, id = pcall(vim.fn.jobstart, command, callbacks)
  if not started or id <= 0 then return fail(("failed to start `%s`"):format(M.config.path)) end
  job = id
end

local function find(events, name)
  return vim.tbl_filter(function(event) return event.event == name end, events)[1]
end

local function describe(found)
  return ("%s: %s"):format(vim.fn.fnamemodify(found.submission, ":t"), VERDICTS[found.verdict])
end
local function search(arguments, folder)
  run(arguments, folder, function(events)
    local found = find(events, "found")
    if not found then return say(events[#events].result_reason or "nothing found") end
    M.last = found.folder and vim.fn.fnamemodify(folder .. "/" .. found.folder, ":p:h")
    if M.last then commands.show(M.last .. "/README.md") end
    say(describe(found), vim.log.levels.WARN)
  end)
end

function commands.test(_, folder)
  run(vim.list_extend({ "test" }, submission and { submission } or {}), folder, function(events, status)
    local failures, started = {}, find(events, "verifying")
    for _, event in ipairs(events) do
      if event.event == "judged" and event.verdict ~= "AC" then
        local input = ("%s/data/%s.in"):format(started.folder, event.test_case)
        table.insert(failures, { filename = input, lnum = 1, text = VERDICTS[event.verdict] .. ": " .. event.message })
      end
    end
    vim.fn.setqflist({}, " ", { title = "rebut test", items = failures })
    local found = find(events, "found")
    say(found and ("%s: %s"):format(describe(found), found.message) or "accepted", status > 0 and vim.log.levels.WARN or nil)
    if #failures > 0 then vim.cmd("copen") end
  end)
end

function commands.stress(file, folder, reference)
  if not submission then return fail("open a submission first") end
  local arguments = vim.list_extend({ "stress", submission }, M.config.options)
  if reference ~= "" then vim.list_extend(arguments, { "--reference", vim.fn.fnamemodify(reference, ":p") }) end
  search(in_package(arguments, file), folder)
end

function commands.shrink(file, folder)
  if is_source(file) or not submission then return fail("open the failing input, after the submission") end
  search(in_package({ "shrink", file, submission }, file), folder)
end

function commands.add(file)
  local finding = finding_of(file) or M.last
  if not finding then return fail("there is no finding yet") end
  local folder = folder_of(finding .. "/input.txt")
  run({ "replay", finding, "--save", folder }, folder, function(events) say(find(events, "warning").message) end)
end

-- Starts gdb, by the plugin that comes with Neovim.
function commands.debug(file, folder)
  if is_source(file) or not submission then return fail("open the input, after the submission") end
  if not submission:match("%.c[cpx]*$") then return fail("no debugger is known for " .. vim.fn.fnamemodify(submission, ":t")) end
  if vim.fn.executable("gdb") == 0 then return fail("gdb is not installed") end
  local program = vim.fn.tempname()
  local text = vim.fn.system(vim.list_extend(vim.deepcopy(M.config.compiler), { "-o", program, submission }))
  if vim.v.shell_error ~= 0 then return fail(text) end
  vim.cmd("packadd termdebug | lcd " .. vim.fn.fnameescape(folder) .. " | Termdebug " .. vim.fn.fnameescape(program))
  vim.fn.TermDebugSendCommand("start < " .. vim.fn.shellescape(file))
end

function commands.show(file)
  local finding = finding_of(file) or M.last
  if not finding then return fail("there is no finding yet") end
  vim.cmd("vsplit " .. vim.fn.fnameescape(finding .. "/README.md"))
end
function commands.stop() return job and vim.loop.kill(vim.fn.jobpid(job), "sigint") end

function M.setup(config)
  M.config = vim.tbl_extend("force", M.config, config or {})
  local remember = function(event) submission = is_source(event.match) and event.match or submission end
  vim.api.nvim_create_autocmd("BufEnter", { callback = remember })
  vim.api.nvim_create_user_command("Rebut", function(typed)
    local name, argument = typed.args:match("^(%S*)%s*(.-)%s*$")
    local file = vim.api.nvim_buf_get_name(0)
    if not commands[name] then return fail(("there is no command `%s`"):format(name)) end
    commands[name](file, folder_of(file), argument)
  end, {
    nargs = "+",
    complete = function(start, line)
      local is_name = line:match("^%s*Rebut%s+%S*$")
      local begins = function(name) return vim.startswith(name, start) end
      return is_name and vim.tbl_filter(begins, vim.tbl_keys(commands)) or vim.fn.getcompletion(start, "file")
    end,
  })
end

return M
