package import Diagnostics
internal import Pipeline
internal import PurchaseModel

/// Chains from a file, gzip or plain, or from standard input: one transaction id per line.
///
/// Any transaction id of the customer identifies the chain. Blank lines and lines that begin with
/// `#` are skipped.
package struct ListedChains: ChainSource {
  /// The path of the file; `-` for standard input.
  package let path: String

  package init(path: String) {
    self.path = path
  }

  package func chains() throws(RunFailure) -> [WantedChain] {
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
