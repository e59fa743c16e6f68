internal import Testing

@Test func `no source file is longer than 400 lines`() {
  for file in Repository.sources {
    #expect(file.lines.count <= 400, "\(file.path): split it by idea")
  }
}

@Test func `no comment is longer than a line`() {
  for file in Repository.sources + Repository.tests {
    for line in file.longComments {
      Issue.record("\(file.path):\(line): wrap the comment at 100 columns")
    }
  }
}

@Test func `no file and no type is a bag of things`() {
  let bags = ["Utils", "Util", "Helper", "Helpers", "Manager", "Common", "Misc", "Shared"]
  let kinds: Set<String> = ["struct", "class", "enum", "actor", "protocol"]
  for file in Repository.sources + Repository.tests {
    var names = [file.name]
    for line in file.code {
      let words = line.split(separator: " ").map { String($0) }
      if let index = words.firstIndex(where: kinds.contains), index + 1 < words.count {
        names.append(words[index + 1])
      }
    }
    for name in names {
      #expect(!bags.contains { name.contains($0) }, "\(file.path): \(name): name the idea")
    }
  }
}

/// A banned word in code, its scope, and the alternative.
private struct Ban {
  var word: String
  /// The targets, or folders within targets, in which the ban holds; empty for all.
  var places: Set<String> = []
  /// The targets and files that are exempt from the ban.
  var except: Set<String> = []
  var instead: String
}

/// Targets that only compute, without input or output.
private let pure: Set<String> = [
  "Amounts", "CivilTime", "Diagnostics", "ExchangeRates", "Parallel", "PurchaseModel", "Purchases",
  "PriceLearning", "PaidAmounts", "Proceeds", "Subscriptions",
]
private let manifest = Manifest(Repository.text("Package.swift") ?? "")
private let commands = Set(
  manifest.targets.values.filter { $0.kind == "command" }.map(\.name))
/// The program that measures the other programs from outside, with a clock; it is not a stage.
private let gatePolicy = "paidline-bench"
/// The folder that uses Foundation: the responses of App Store Connect are few.
private let connect = "Sources/Pipeline/AppStoreClient/Prices/"
/// The only file that opens databases.
private let databaseFile = "Sources/Stores/SQLiteFiles/DatabaseFile.swift"
private let bans = [
  Ban(word: "try!", instead: "throw, or handle it"),
  Ban(word: "as!", instead: "as?"),
  Ban(word: "fatalError", instead: "precondition for our own bugs, an error for input"),
  Ban(word: "print(", except: commands, instead: "return it; CheckedOutput writes to descriptors"),
  Ban(
    word: "exit(", except: commands.union(["Pipeline", "Commands"]), instead: "throw a RunFailure"),
  Ban(word: "Date()", except: [gatePolicy], instead: "take the instant as an argument"),
  Ban(word: "DateFormatter", instead: "CivilTime"),
  Ban(word: "ISO8601DateFormatter", instead: "CivilTime"),
  Ban(word: "Calendar.current", instead: "CivilTime"),
  Ban(word: "TimeZone.current", instead: "UTC"),
  Ban(word: "Locale.current", instead: "no locale at all"),
  Ban(
    word: "JSONDecoder",
    except: [
      gatePolicy, connect + "ConnectArchive.swift", connect + "ConnectEntries.swift",
      connect + "ConnectPage.swift",
    ],
    instead: "the walker in ExportReading"),
  Ban(word: "JSONSerialization", except: [gatePolicy], instead: "the walker in ExportReading"),
  Ban(word: "Decimal(", instead: "Milliunits(decimal:)"),
  Ban(
    word: "Double", places: pure.union(["ExportReading", "Stores/Warehouse/Facts"]),
    instead: "whole numbers; amounts are Milliunits"),
  Ban(
    word: "Float", places: pure.union(["ExportReading", "Stores/Warehouse/Facts"]),
    instead: "whole numbers; amounts are Milliunits"),
  Ban(
    word: "import Foundation", places: pure.union(["ExportReading"]),
    instead: "the standard library"),
  Ban(word: "SystemRandomNumberGenerator", instead: "a seed"),
  Ban(word: ".random(", except: ["SampleStore"], instead: "a seed"),
  Ban(word: "DatabaseQueue(", except: [gatePolicy, databaseFile], instead: "DatabaseFile"),
  Ban(word: "DatabasePool(", instead: "DatabaseFile"),
  Ban(word: "sqlite3_open", instead: "DatabaseFile"),
  Ban(word: "sqlite3_open_v2", except: [gatePolicy], instead: "DatabaseFile"),
  Ban(word: "sqlite3_open16", instead: "DatabaseFile"),
  // Closing a descriptor of a database releases SQLite's locks.
  Ban(
    word: "O_CLOEXEC", places: ["SQLiteFiles", "SharedTables", "StateStore", "Warehouse"],
    except: [databaseFile],
    instead: "DatabaseFile.openDescriptor"),
  Ban(
    word: "FileDescriptor", places: ["SQLiteFiles", "SharedTables", "StateStore", "Warehouse"],
    instead: "DatabaseFile.openDescriptor"),
]

@Test func `no source file calls what is banned there`() {
  for file in Repository.sources {
    let target = manifest.target(of: file)?.name ?? ""
    for ban in bans where ban.except.isDisjoint(with: [target, file.path]) {
      let isHere = ban.places.contains { place in
        file.path.hasPrefix((manifest.targets[place]?.folder ?? "Sources/" + place) + "/")
      }
      guard ban.places.isEmpty || isHere else { continue }
      for line in file.lines(with: ban.word) {
        Issue.record("\(file.path):\(line): \(ban.word) is banned here; instead: \(ban.instead)")
      }
    }
  }
}

@Test func `only the stores speak SQL`() {
  let others = Repository.sources.filter { !$0.path.hasPrefix("Sources/Stores/") }
  for file in others {
    #expect(!file.imports.contains("GRDB"), "\(file.path): ask a function of the store")
    for line in file.linesWithSQL {
      Issue.record("\(file.path):\(line): a statement; it belongs to the store of its table")
    }
  }
  #expect(others.count > 500)
}

@Test func `a statement is found in a text of one line and in one of several`() {
  let file = SourceFile(
    path: "Sources/Pipeline/Answers/Example.swift",
    text: #"""
      // "SELECT 1" in a comment, and "Select a product" in a message:
      let message = "Select a product"
      let query = "DELETE FROM run"
      let other = """
        SELECT run_id
        FROM run
        """
      """#)
  #expect(file.linesWithSQL == [3, 5])
}

@Test func `nothing is left to do in a comment`() {
  let markers = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
  for file in Repository.sources + Repository.tests {
    for (number, line) in file.lines.enumerated() {
      for marker in markers where line.containsWord(marker) {
        Issue.record("\(file.path):\(number + 1): \(marker)")
      }
    }
  }
}

@Test func `a command's own files are thin`() {
  #expect(commands.count >= 4)
  let thin = commands.subtracting([gatePolicy])
  for file in Repository.sources where thin.contains(manifest.target(of: file)?.name ?? "") {
    #expect(file.lines.count <= 61, "\(file.path): parse, call, exit; the rest is a library's")
  }
}

@Test func `the lint finds what it looks for`() {
  let file = SourceFile(
    path: "Sources/Basics/Amounts/Example.swift",
    text: """
      internal import Foundation
      // print("in a comment") is fine, and so is a text:
      let text = "print(1) and Double"
      let isPrinted = imprint(1) // Date()
      print(text)
      let price: Double = 1
        // \(String(repeating: "x", count: 96))
      """)
  #expect(file.lines(with: "print(") == [5])
  #expect(file.lines(with: "Double") == [6])
  #expect(file.lines(with: "Date()").isEmpty)
  #expect(file.lines(with: "import Foundation") == [1])
  #expect(file.imports == ["Foundation"])
  #expect(file.longComments == [7])
}
