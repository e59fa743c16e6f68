package import Diagnostics
package import Pipeline
internal import Warehouse

/// The history of a chain: the kind and the paid amount of each row, and the results of its offers.
package struct ChainExplanation {
  let chain: String
  /// The tables: the subscription, its rows, its offers, its charges, refunds and credits, and its
  /// renewal states.
  let sections: [FactSection]

  /// Reads a chain from the published facts.
  ///
  /// - Throws: ``RunFailure`` with status 66 if no published purchase has the id as its chain.
  package static func read(_ definition: PipelineDefinition, chain: String) throws(RunFailure)
    -> ChainExplanation
  {
    try PublishedWarehouse(definition).read { db in
      if let sections = try PublishedChain.sections(chain, on: db) {
        return ChainExplanation(chain: chain, sections: sections)
      }
      let id = OneLine.text(chain)
      guard let other = try PublishedChain.chain(ofTransaction: chain, on: db) else {
        throw RunFailure(
          .inputMissing,
          "\(id) is not an original_transaction_id of a published purchase; check the id, or run "
            + "the pipeline if its export is new")
      }
      throw RunFailure(
        .inputMissing,
        "\(id) is a transaction of the chain \(OneLine.text(other)): use --chain "
          + OneLine.text(other))
    }
  }

  /// The history as text.
  package var text: String {
    (["Chain \(OneLine.text(chain))"] + sections.map(\.text)).joined(separator: "\n\n")
  }

  /// The history as JSON.
  package var json: JSONText {
    .object([.init("original_transaction_id", .text(chain))] + sections.map(\.json))
  }
}
