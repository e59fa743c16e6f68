internal import Foundation
internal import TestSupport
internal import Testing

/// The tutorials, run as written: every command has the exit status and the output on the page.
struct TutorialTests {
  /// A command on the page, with the output on the page.
  private struct Command {
    /// The command line, with the lines of its standard input.
    var text: String
    /// The lines of its output; `…` stands for any text.
    var output: [String]
  }

  private static let root = Checkout.folder.path

  /// The commands of all `console` blocks of a page, in order.
  private static func commands(of page: String) throws -> [Command] {
    let text = try String(contentsOfFile: "\(root)/\(page)", encoding: .utf8)
    var commands: [Command] = []
    for part in text.components(separatedBy: "```console\n").dropFirst() {
      let block = try #require(part.components(separatedBy: "```").first)
      var isReading = false  // Inside of what `<<'END'` gives to a command.
      for line in block.components(separatedBy: "\n").dropLast() {
        if line.hasPrefix("$ ") {
          commands.append(Command(text: String(line.dropFirst(2)), output: []))
          isReading = line.contains("<<'END'")
        } else if isReading || commands.last?.text.hasSuffix("\\") == true {
          commands[commands.count - 1].text += "\n\(line)"
          if line == "END" { isReading = false }
        } else {
          commands[commands.count - 1].output.append(line)
        }
      }
    }
    return commands
  }

  /// Returns true if lines are those on a page.
  ///
  /// A line `…` stands for any lines, and `…` within a line for any text. For example, `run 3
  /// started …` fits `run 3 started 2026-11-23T03:15:02Z`.
  private static func fits(_ lines: ArraySlice<String>, _ shown: ArraySlice<String>) -> Bool {
    guard let first = shown.first else { return lines.isEmpty }
    if first == "…" {
      return (lines.startIndex...lines.endIndex).contains {
        fits(lines[$0...], shown.dropFirst())
      }
    }
    guard let line = lines.first, isLine(line, first) else { return false }
    return fits(lines.dropFirst(), shown.dropFirst())
  }

  private static func isLine(_ line: String, _ shown: String) -> Bool {
    let parts = shown.components(separatedBy: "…")
    guard parts.count > 1 else { return line == shown }
    guard line.hasPrefix(parts[0]) else { return false }
    var rest = line.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }

  @Test(arguments: ["tutorial", "revenuecat", "export"])
  func `every command of the tutorials does what the page shows`(name: String) throws {
    let shop = try Shop()
    try FileManager.default.createDirectory(
      atPath: shop.folder.path("Docs"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: "\(Self.root)/Docs/\(name)", toPath: shop.folder.path("Docs/\(name)"))
    let commands = try Self.commands(of: "Docs/\(name).md")
    #expect(commands.count >= 6)
    let path = "\(Shop.executables.path):/usr/bin:/bin"
    for command in commands where Self.canRun(command.text) {
      let ending = try shop.run(
        "/bin/bash", arguments: ["-c", "exec 2>&1\n\(command.text)"],
        environment: ["PATH": path, "LC_ALL": "C.UTF-8"])
      let lines = ending.output
        .replacing(#/(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (?=paidline)/#, with: "")
        .components(separatedBy: "\n").dropLast()
      #expect(
        Self.fits(lines, command.output[...]),
        "\(command.text)\nwrote, with status \(ending.status):\n\(lines.joined(separator: "\n"))")
    }
  }

  /// Whether the other programs that a command needs are installed.
  private static func canRun(_ command: String) -> Bool {
    !command.hasPrefix("sqlite3 ")
      || FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")
  }
}
