internal import PurchaseModel

extension InputFile.Kind {
  /// The name of the kind for messages: `2 new files of signed transactions`.
  var words: String {
    switch self {
    case .receipts: "receipts"
    case .prices: "prices"
    case .signed: "signed transactions"
    case .appleReports: "Apple's reports"
    }
  }
}
