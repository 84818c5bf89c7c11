-- Uses the commands in Neovim, as a person types them. `REBUT` names the program, and `PROBLEM` a folder with a wrong `sol.py`,
-- `brute.py`, `input.format` and a sample that `sol.py` passes. Writes to the standard error what is not as it should be.
--
--   nvim --headless -u NONE -i NONE -S editors/neovim/test/commands.lua
local here = vim.fn.fnamemodify(vim.fn.expand("<sfile>"), ":p:h:h")
local faults, said = {}, {}
vim.notify = function(text) table.insert(said, text) end

local function expect(what, pattern, shown)
  if not tostring(shown):match(pattern) then table.insert(faults, ("%s: shows %s"):format(what, vim.inspect(shown))) end
end

-- Runs a command, and waits for what it says.
local function rebut(command)
  said = {}
  vim.cmd("Rebut " .. command)
  vim.wait(120000, function() return #said > 0 end, 50)
  return said[1]
end

local function check()
  dofile(here .. "/rebut.lua").setup({ path = vim.env.REBUT, options = { "--seed", "1", "--cases", "100" } })
  vim.cmd("cd " .. vim.env.PROBLEM .. " | edit input.format")
  expect("no submission", "open a submission first", rebut("stress"))
  expect("no finding", "there is no finding yet", rebut("add"))
  expect("unknown", "there is no command `x`", rebut("x"))
  vim.cmd("edit sol.py")
  expect("samples", "^rebut: accepted$", rebut("test"))
  expect("stress", "^rebut: sol.py: wrong answer$", rebut("stress brute.py"))
  expect("page", "findings/0001%-sol%-wrong%-answer/README.md$", vim.api.nvim_buf_get_name(0))
  expect("add", "has a new sample, `kills_sol`", rebut("add"))
  vim.cmd("edit " .. vim.env.PROBLEM .. "/sol.py")
  expect("a failing sample", "wrong answer: token 1: expected %-1, found 0", rebut("test"))
  local failures = vim.fn.getqflist()
  expect("quickfix", "^1 wrong answer", #failures .. " " .. (failures[1] or {}).text)
  expect("the input", "^1%s%-1", table.concat(vim.fn.readfile(vim.fn.bufname(failures[1].bufnr)), "\n"))
  vim.cmd("edit " .. vim.env.PROBLEM .. "/kills_sol.in")
  expect("debug", "no debugger is known for sol.py", rebut("debug"))
  expect("shrink", "^rebut: sol.py: wrong answer$", rebut("shrink"))
  vim.cmd("edit " .. vim.env.PROBLEM .. "/brute.py")
  said = {}
  dofile(here .. "/rebut.lua").setup({ path = vim.env.REBUT })
  vim.cmd("edit " .. vim.env.PROBLEM .. "/brute.py")
  vim.cmd("Rebut stress brute.py")
  expect("one at a time", "a command is running", rebut("test"))
  expect("stop", "^rebut: stopped$", rebut("stop"))
  dofile(here .. "/rebut.lua").setup({ path = "/missing/rebut" })
  vim.cmd("edit " .. vim.env.PROBLEM .. "/sol.py")
  expect("no program", "failed to start `/missing/rebut`", rebut("test"))
  expect("completion", "shrink stop stress", table.concat(vim.fn.sort(vim.fn.getcompletion("Rebut s", "cmdline")), " "))
end

local is_done, problem = pcall(check)
if not is_done then table.insert(faults, problem) end
io.stderr:write(#faults == 0 and "the commands do what they say\n" or table.concat(faults, "\n") .. "\n")
vim.cmd(#faults == 0 and "qall!" or "cquit")
