package import Diagnostics
internal import Pipeline

extension WantedChain {
  /// Reads chains from a file, gzip or plain, or from standard input: one transaction id per line.
  ///
  /// A line may have any transaction id of a customer, because Apple returns the customer's whole
  /// history. Blank lines and lines that begin with `#` are skipped.
  ///
  /// - Parameter path: The path of the file; `-` for standard input.
  /// - Returns: The chains in the order of the file, without duplicates.
  package static func listed(in path: String) throws(RunFailure) -> [WantedChain] {
    var chains: [WantedChain] = []
    var seen: Set<ChainNumber> = []
    try ListFile.read(path, what: "the list of chains") { number, line throws(RunFailure) in
      let text = String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }
      guard !text.isEmpty, !text.hasPrefix("#") else { return }
      guard let chain = ChainNumber(text), text.utf8.allSatisfy({ $0 < 0x3A }) else {
        throw RunFailure(
          .dataRefused,
          "\(OneLine.text(path)):\(number): expected a transaction id, which is a number")
      }
      if seen.insert(chain).inserted { chains.append(WantedChain(number: chain)) }
    }
    return chains
  }
}
