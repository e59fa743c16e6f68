internal import Foundation

/// The targets of `Package.swift` and their allowed imports, read from its text.
struct Manifest {
  struct Target {
    var name: String
    var kind: String
    /// The modules of its dependencies.
    var imports: Set<String>
    /// The folder of its files.
    var folder: String
  }

  var targets: [String: Target] = [:]

  /// Reads calls such as `library("Name", ["A", yams])` and `.target(name: "Name", …)`.
  init(_ text: String) {
    var products: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("let ") {
      let words = line.split(separator: " ")
      if words.count > 1 { products[String(words[1])] = "" }
    }
    for name in products.keys {
      // let yams = Target.Dependency.product(name: "Yams", package: "Yams")
      guard let start = text.range(of: "let \(name) = Target.Dependency.product(") else { continue }
      products[name] = Self.strings(in: text[start.upperBound...].prefix(80)).first ?? ""
    }
    for kind in ["library", "command", "tests", ".target", ".systemLibrary"] {
      var rest = text[...]
      while let call = rest.range(of: kind + "(") {
        rest = text[call.upperBound...]
        let body = Self.arguments(rest)
        let isDeclaration = text[..<call.lowerBound].hasSuffix("func ")
        guard !isDeclaration, let name = Self.strings(in: body).first else { continue }
        let list = body.range(of: "[").map { body[$0.upperBound...].prefix { $0 != "]" } } ?? ""
        var imports = Set(Self.strings(in: list))
        for item in list.split(whereSeparator: { ", \n".contains($0) }) {
          if let module = products[String(item)], !module.isEmpty { imports.insert(module) }
        }
        let path = body.range(of: "path: ").flatMap {
          Self.strings(in: body[$0.upperBound...]).first
        }
        let usual = (kind == "tests" ? "Tests/" : "Sources/") + name
        targets[name] = Target(name: name, kind: kind, imports: imports, folder: path ?? usual)
      }
    }
  }

  /// The target that a file belongs to.
  func target(of file: SourceFile) -> Target? {
    targets.values.first { file.path.hasPrefix($0.folder + "/") }
  }

  /// The text up to the parenthesis that closes a call.
  private static func arguments(_ text: Substring) -> Substring {
    var depth = 1
    for index in text.indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return text[..<index] }
    }
    return text
  }

  private static func strings(in text: Substring) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
