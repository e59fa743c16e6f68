/// The lines of a valid export, damaged as disks, programs and people may damage them.
public func damaged(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
  var lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  let keys = [
    "transaction_id", "product_id", "latest_receipt_info", "response", "status", "purchase_date",
    "price", "currency", "quantity",
  ]
  for _ in 0..<Int.random(in: 1...3, using: &random) {
    let index = Int.random(in: 0..<lines.count, using: &random)
    let key = keys[Int.random(in: 0..<keys.count, using: &random)]
    switch Int.random(in: 0..<6, using: &random) {
    case 0: lines[index] = String(lines[index].dropLast(Int.random(in: 1...40, using: &random)))
    case 1: lines[index] = lines[index].replacing("\"\(key)\"", with: "\"\(key)X\"")
    case 2: lines = lines.map { $0.replacing("\"\(key)\"", with: "\"\(key)X\"") }
    case 3: lines[index] = lines[index].replacing("\"\(key)\":\"", with: "\"\(key)\":\"x")
    case 4: lines.insert("\(index)", at: index)
    default: lines[index] = "{\"data\":\(lines[index])}"
    }
  }
  let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
  switch Int.random(in: 0..<10, using: &random) {
  case 0: return Array(bytes.prefix(bytes.count / 2 - 7))
  case 1: return Array(gzip(bytes).dropLast(20))
  case 2: return gzip(bytes)
  case 3: return []
  default: return bytes
  }
}
